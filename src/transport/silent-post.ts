import type { PostHandler } from './transport.js';

/** For messages whose fate nobody waits for. */
export const silent: PostHandler = {
  onPostSent: () => {},
  onPostStatus: () => {},
  onPostBody: () => {},
  onPostFailed: () => {},
};
