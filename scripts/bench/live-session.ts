import { openRawSession } from './clients/raw-session.js';

/** A session that others may POST to; its stream is held open and read until it is closed. */
export interface LiveSession {
  readonly postUrl: string;
  close(): void;
}

/** Opens a session with a server and keeps it alive. */
export async function openLiveSession(url: string): Promise<LiveSession> {
  const { stream, post, path } = await openRawSession(new URL(url));
  return {
    postUrl: new URL(path, url).href,
    close: () => {
      stream.socket.destroy();
      post.socket.destroy();
    },
  };
}
