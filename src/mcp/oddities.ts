/** What came that no call was waiting for, and what was odd about what came. */
export interface OddityCounts {
  duplicate: number;
  late: number;
  foreign: number;
  coercedId: number;
  malformedEvent: number;
  truncatedEvent: number;
  nullIdError: number;
  serverRequest: Record<string, number>;
  notification: Record<string, number>;
  reconnect: number;
  /** Sessions that the server did not know any more. */
  sessionLost: number;
}

export function noOddities(): OddityCounts {
  return {
    duplicate: 0,
    late: 0,
    foreign: 0,
    coercedId: 0,
    malformedEvent: 0,
    truncatedEvent: 0,
    nullIdError: 0,
    serverRequest: {},
    notification: {},
    reconnect: 0,
    sessionLost: 0,
  };
}
