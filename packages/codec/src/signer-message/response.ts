import { CodecError } from '../error.ts';
import { Reader } from '../reader.ts';
import { hasValidationCode, notRejected } from './reject-codes.ts';

/** A reason to reject a block: its code, and the code of the failed validation if that is the reason. */
export type RejectReason = { code: number; validation?: number };

export type BlockResponse = {
  accepted: boolean;
  hash: Uint8Array;
  /** 65 bytes; of an acceptance it is the signature that goes into the block. */
  signature: Uint8Array;
  /** Version of the signer's program; empty in old messages. */
  version: string;
  /** Of a rejection: the free text, the legacy code, and the finer code where the message has one. */
  rejection?: { text: string; reason: RejectReason; detail?: RejectReason };
};

/** Reads a response to a proposal. What old messages lack at the end is left out. */
export function readResponse(reader: Reader): BlockResponse {
  const kind = reader.u8();
  if (kind > 1) throw new CodecError(`unknown kind of response ${kind}`, reader.offset - 1);
  if (kind === 0) {
    const hash = reader.take(32);
    return { accepted: true, hash, signature: reader.take(65), version: readVersion(reader) };
  }
  const text = readText(reader);
  const reason = readReason(reader);
  const hash = reader.take(32);
  reader.u32(); // chain id
  const signature = reader.take(65);
  const version = readVersion(reader);
  const detail = readDetail(reader);
  return { accepted: false, hash, signature, version, rejection: { text, reason, ...(detail && { detail }) } };
}

const isAtEnd = (reader: Reader) => reader.offset === reader.bytes.length;

const utf8 = new TextDecoder();

/** Text of an unknown sender: invalid UTF-8 is replaced, and NUL, which PostgreSQL refuses, is removed. */
function readText(reader: Reader): string {
  return utf8.decode(reader.take(reader.count(1))).replaceAll('\0', '');
}

const readVersion = (reader: Reader) => (isAtEnd(reader) ? '' : readText(reader));

function readReason(reader: Reader): RejectReason {
  const code = reader.u8();
  return hasValidationCode(code) ? { code, validation: reader.u8() } : { code };
}

/** The finer reason inside the response data; undefined in old messages and where the data cannot be read. */
function readDetail(reader: Reader): RejectReason | undefined {
  try {
    if (isAtEnd(reader)) return undefined;
    reader.u8(); // version of the data: later ones only append fields
    const data = new Reader(reader.take(reader.count(1)));
    data.u64(); // time from which a tenure may be extended
    const reason = readReason(data);
    return reason.code === notRejected ? undefined : reason;
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}
