/** A failure that one line explains. */
export class DoorError extends Error {
  name = 'DoorError';
}
