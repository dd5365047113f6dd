/** An invalid message of a node; names the field. */
export class MessageError extends Error {}
