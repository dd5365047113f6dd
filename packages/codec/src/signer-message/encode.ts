import { encodeUtf8 } from '../utf8.ts';
import { Writer } from '../writer.ts';
import type { BlockResponse, RejectReason } from './response.ts';
import { messageTypes } from './signer-message.ts';

/** Versions of the optional data at the end of messages that these functions write. */
const PROPOSAL_DATA_VERSION = 3;
const RESPONSE_DATA_VERSION = 5;
const never = (1n << 64n) - 1n;

/** A proposal of the bytes of a block; without `version` it ends as old messages do. */
export function encodeProposal(block: Uint8Array, burnHeight: number, cycle: number, version?: string): Uint8Array {
  const writer = new Writer(block.length + 256).u8(messageTypes.proposal).raw(block);
  writer.u64(BigInt(burnHeight)).u64(BigInt(cycle));
  if (version === undefined) return writer.finish();
  const data = new Writer();
  writeText(data, version);
  data.u64(BigInt(burnHeight)).raw(new Uint8Array(52)).u64(never).u64(never).u8(0);
  return writer.u8(PROPOSAL_DATA_VERSION).u32(data.length).raw(data.finish()).finish();
}

/** A block with the signatures of its signers, as its miner pushes it. */
export const encodePush = (block: Uint8Array): Uint8Array =>
  new Writer(block.length + 1).u8(messageTypes.push).raw(block).finish();

/** A commitment of a signer to sign a block. */
export const encodePreCommit = (hash: Uint8Array): Uint8Array =>
  new Writer(33).u8(messageTypes.preCommit).fixed(hash, 32).finish();

/** A response with all the data of current signers. */
export function encodeResponse({ accepted, hash, signature, version, rejection }: BlockResponse, chainId = 1) {
  const writer = new Writer(512).u8(messageTypes.response).u8(accepted ? 0 : 1);
  if (!accepted) {
    writeText(writer, rejection?.text ?? '');
    writeReason(writer, rejection?.reason ?? { code: 4 });
  }
  writer.fixed(hash, 32);
  if (!accepted) writer.u32(chainId);
  writer.fixed(signature, 65);
  writeText(writer, version);
  const data = new Writer().u64(never);
  writeReason(data, rejection?.detail ?? { code: 255 });
  data.u64(never).u8(0);
  return writer.u8(RESPONSE_DATA_VERSION).u32(data.length).raw(data.finish()).finish();
}

function writeReason(writer: Writer, { code, validation }: RejectReason): void {
  writer.u8(code);
  if (validation !== undefined) writer.u8(validation);
}

function writeText(writer: Writer, text: string): void {
  const bytes = encodeUtf8(text);
  writer.u32(bytes.length).raw(bytes);
}
