import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';

/** A transaction to broadcast, with its optional attachment. */
export type Broadcast = { raw: Uint8Array; attachment: Uint8Array | undefined };

const HEX = /^\s*"?(?:0x)?((?:[0-9a-f]{2})+)"?\s*$/i;

/**
 * Reads a transaction in any of the forms that clients send: bytes, hex text, a JSON string, or the node's own object
 * `{"tx": HEX, "attachment": HEX}`. The body itself decides, because many clients send a wrong content type: no
 * transaction starts like JSON or consists only of hex digits. Throws a CodecError if it has none of these forms.
 */
export function readBroadcast(body: Buffer): Broadcast {
  if (body.length === 0) throw new CodecError('an empty body', 0);
  const first = body[0]!;
  if (first === 0x7b) return readObject(body);
  if (isTextual(first)) {
    const digits = HEX.exec(body.toString('latin1'))?.[1];
    if (digits !== undefined) return { raw: fromHex(digits), attachment: undefined };
    throw new CodecError('text that is no hex', 0);
  }
  return { raw: body, attachment: undefined };
}

/** A quote, white space or a hex digit. */
function isTextual(byte: number): boolean {
  return /["\s0-9a-f]/i.test(String.fromCharCode(byte));
}

function readObject(body: Buffer): Broadcast {
  let json: { tx?: unknown; attachment?: unknown };
  try {
    json = JSON.parse(body.toString('utf8')) as typeof json;
  } catch {
    throw new CodecError('neither bytes nor JSON', 0);
  }
  if (typeof json.tx !== 'string') throw new CodecError('no hex text in the field tx', 0);
  if (json.attachment !== undefined && json.attachment !== null && typeof json.attachment !== 'string') {
    throw new CodecError('no hex text in the field attachment', 0);
  }
  return { raw: fromHex(json.tx), attachment: json.attachment ? fromHex(json.attachment) : undefined };
}

/** The body for a node: bytes, or the object if there is an attachment. */
export function writeBroadcast({ raw, attachment }: Broadcast): { headers: Record<string, string>; body: Buffer } {
  if (attachment === undefined) {
    const body = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    return { headers: { 'content-type': 'application/octet-stream' }, body };
  }
  const body = Buffer.from(JSON.stringify({ tx: bareHex(raw), attachment: bareHex(attachment) }));
  return { headers: { 'content-type': 'application/json' }, body };
}
