// Nothing else is called that, whatever stands around it.
const telling = /cookie|token(?!i)|secret|passw|pwd|credential|signature|session[_-]?id/i;
// Short: found in `author`, `monkey` and `design` as well, so they count as words alone, or behind others that they are often written together with.
const word =
  /^(?:(?:x|api|app|access|account|admin|auth|client|crypt|encryption|license|master|o|private|proxy|service|shared|signing|ssh|ssl|subscription|tls|user)*(?:keys?|auth)|(?:x|proxy)?auth(?:orization|entication)|sig)\d*$/i;

/** Whether a name says that what it names is a secret: `api_key`, `Authorization`, `MCP_TOKEN`. */
export function namesSecret(name: string): boolean {
  if (telling.test(name)) return true;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/);
  return words.some((each) => word.test(each));
}
