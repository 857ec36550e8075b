/** What came on a stream that no request of ours had asked for. */
export class Strays {
  foreign = 0;
  duplicate = 0;
  readonly nullIdErrors: string[] = [];
  readonly malformed: string[] = [];
  withoutVersion = 0;
  readonly serverRequests: { method: string; atNs: number }[] = [];
  readonly notifications: { method: string; beforeInitialize: boolean; atNs: number }[] = [];
  /** When they came. */
  readonly pingEvents: number[] = [];
}
