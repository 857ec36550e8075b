/** What helps where no session became ready, as far as HTTP itself tells: by the kind of the failure, as it is counted, and its message. */
export function adviseHttp(kind: string, message: string): string {
  if (kind === 'tls')
    return /self.signed|unable to|local issuer/i.test(message)
      ? '. Name its CA (tls.ca), or use --insecure'
      : '';
  if (kind === 'http 401' || kind === 'http 403')
    return '. Does it need a token, or a header? --header "Authorization: Bearer …"';
  if (kind === 'http 421')
    return '. It does not know itself by this name: give it the Host it expects (--header)';
  if (kind.startsWith('http 3')) return '. It redirects: name the address that it redirects to';
  if (kind === 'protocol') return '. Is this an HTTP server, and is it http or https?';
  return '';
}
