/** Takes a stream of `data:` events apart, leanly but fully: what any client in the comparison has to do at the least. */
export class EventReader {
  private rest = '';

  constructor(private readonly onData: (data: string, event: string) => void) {}

  feed(chunk: Buffer): void {
    const text = this.rest + chunk.toString();
    let from = 0;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', from)) {
      const data = text.indexOf('data: ', from);
      this.onData(text.slice(data + 6, end), text.slice(text.indexOf('event: ', from) + 7, data - 1));
      from = end + 2;
    }
    this.rest = text.slice(from);
  }
}
