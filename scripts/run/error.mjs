/** An error whose message is enough for the user; no stack trace is printed. */
export class CommandError extends Error {
  name = 'CommandError';
}
