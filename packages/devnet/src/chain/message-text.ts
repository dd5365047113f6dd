/** A message of a node: its path and its body. */
export type Message = { path: string; body: object };

/** The JSON text of a message; integers beyond 2^53 are written without loss. */
export function messageText(body: object): string {
  return JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `\u0001${value}` : value)).replace(
    /"\\u0001(-?\d+)"/g,
    '$1',
  );
}
