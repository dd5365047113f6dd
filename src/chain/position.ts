/** The rest of a block whose first part was sent: it begins at this event of this transaction. */
export type Rest = { place: number; event: number };

/** What a reader has received: the chain up to a block, and the steps of the mempool up to a journal number. */
export type Position = {
  /** Last journal step of the mempool that was sent completely. */
  seq: number;
  /** Tells the journal of one database from that of another: the time of the step, of which this is a part. */
  check: number;
  /** Transactions that were sent of the next step of the mempool. */
  pending: number;
  /** The last block of which something was sent; -1 and no hash before the first block. */
  height: number;
  indexHash: Buffer;
  /** Undefined if the block was sent completely. */
  rest: Rest | undefined;
  /** A rollback to this block was the last message. It has an id of its own: clients drop messages whose id they have seen. */
  returned?: boolean;
};

const VERSION = 1;
const HASH_BYTES = 32;
const BYTES = 1 + 6 + 4 + 4 + 4 + HASH_BYTES + 2 + 4;
const NO_HEIGHT = 0xffff_ffff;
const NO_REST = 0xffff;

/** The text of a position: clients store it and give it back unread. */
export function positionText({ seq, check, pending, height, indexHash, rest, returned }: Position): string {
  const bytes = Buffer.alloc(BYTES);
  let at = bytes.writeUInt8(VERSION, 0);
  at = bytes.writeUIntBE(seq, at, 6);
  at = bytes.writeUInt32BE(check, at);
  at = bytes.writeUInt32BE(pending, at);
  at = bytes.writeUInt32BE(height < 0 ? NO_HEIGHT : height, at);
  at += indexHash.copy(bytes, at) || HASH_BYTES;
  at = bytes.writeUInt16BE(rest?.place ?? NO_REST, at);
  bytes.writeUInt32BE(rest?.event ?? (returned ? 1 : 0), at);
  return bytes.toString('base64url');
}

/** The position of a text; undefined if it is not one. */
export function readPosition(text: string): Position | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes[0] !== VERSION || bytes.toString('base64url') !== text) return undefined;
  const height = bytes.readUInt32BE(15);
  const place = bytes.readUInt16BE(19 + HASH_BYTES);
  const event = bytes.readUInt32BE(21 + HASH_BYTES);
  return {
    seq: bytes.readUIntBE(1, 6),
    check: bytes.readUInt32BE(7),
    pending: bytes.readUInt32BE(11),
    height: height === NO_HEIGHT ? -1 : height,
    indexHash: height === NO_HEIGHT ? Buffer.alloc(0) : bytes.subarray(19, 19 + HASH_BYTES),
    rest: place === NO_REST ? undefined : { place, event },
    returned: place === NO_REST && event === 1,
  };
}

/** The pattern of the text of a position. */
export const positionPattern = `^[A-Za-z0-9_-]{${Math.ceil((BYTES * 4) / 3)}}$`;
