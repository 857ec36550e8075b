/** Why a connection failed, without OpenSSL's own words, which help nobody. */
export function plainTlsError(message: string): string {
  if (/wrong version number|packet length too long/.test(message))
    return 'the server does not speak TLS on this port: is it http, not https?';
  return message
    .replace(/^[0-9A-F]{8,}:error:[0-9A-F]+:/, '')
    .replace(/:\.\.\/deps\S*\s*$/, '')
    .trim();
}
