import { constants, deflateRawSync } from 'node:zlib';

/** Below this length, compression gains less than it costs. */
const DEFLATE_FROM = 1_024;
const TEXT = 0x81;
/** The bit RSV1 marks a compressed payload (RFC 7692). */
const DEFLATED = 0xc1;

/** A text as one unmasked frame (RFC 6455 §5.2), which can be written to any number of sockets. */
export const textFrame = (text: Buffer): Buffer => frame(TEXT, text);

/**
 * A text as one compressed frame, for sockets that negotiated compression without context takeover: the bytes are the same for
 * all of them. Undefined if compression does not pay.
 */
export function deflatedFrame(text: Buffer): Buffer | undefined {
  if (text.length < DEFLATE_FROM) return undefined;
  const deflated = deflateRawSync(text, { level: 4, finishFlush: constants.Z_SYNC_FLUSH });
  // The receiver appends the four bytes of the flush again (RFC 7692 §7.2.1).
  const payload = deflated.subarray(0, deflated.length - 4);
  return payload.length < text.length * 0.9 ? frame(DEFLATED, payload) : undefined;
}

function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const header = Buffer.allocUnsafe(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = first;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}
