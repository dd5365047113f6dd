/** Something a node posts: where to, and what. */
export type Message = { path: string; body: object };

/** The text of a message; integers beyond 2^53 are written as the numbers they are. */
export function messageText(body: object): string {
  return JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `\u0001${value}` : value)).replace(
    /"\\u0001(-?\d+)"/g,
    '$1',
  );
}
