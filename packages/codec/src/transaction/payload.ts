import {
  type Principal,
  readContractPrincipal,
  readStandardPrincipal,
  writeClarityName,
  writeContractName,
  writePrincipal,
} from '../address/principal.ts';
import { type MicroblockHeader, readMicroblockHeader, writeMicroblockHeader } from '../block/microblock-header.ts';
import { Prefix } from '../clarity/prefix.ts';
import { skipClarity } from '../clarity/skip.ts';
import { CodecError, UnknownCodeError } from '../error.ts';
import { readClarityName, readContractName } from '../name.ts';
import type { Reader } from '../reader.ts';
import type { Writer } from '../writer.ts';
import { readTenureChange, type TenureChange, writeTenureChange } from './tenure-change.ts';

/** The payload of a transaction (SIP-005, SIP-021). */
export type Payload =
  | { type: 'token_transfer'; recipient: Principal; amount: bigint; memo: Uint8Array }
  | { type: 'smart_contract'; name: string; source: Uint8Array }
  /** The arguments are serialized Clarity values, already checked. */
  | { type: 'contract_call'; contract: Principal & { name: string }; functionName: string; args: Uint8Array[] }
  | { type: 'poison_microblock'; header1: MicroblockHeader; header2: MicroblockHeader }
  | { type: 'coinbase'; data: Uint8Array }
  | { type: 'coinbase_to_alt_recipient'; data: Uint8Array; recipient: Principal }
  | { type: 'versioned_smart_contract'; clarityVersion: number; name: string; source: Uint8Array }
  | ({ type: 'tenure_change' } & TenureChange)
  | { type: 'nakamoto_coinbase'; data: Uint8Array; recipient: Principal | undefined; vrfProof: Uint8Array }
  /** All bytes from the first unknown one; the id is -1 if that byte is before the payload. */
  | { type: 'unknown'; id: number; bytes: Uint8Array };

const TYPES = [
  'token_transfer',
  'smart_contract',
  'contract_call',
  'poison_microblock',
  'coinbase',
  'coinbase_to_alt_recipient',
  'versioned_smart_contract',
  'tenure_change',
  'nakamoto_coinbase',
] as const satisfies Payload['type'][];

/** The newest version of Clarity that a deploy may name. */
const MAX_CLARITY_VERSION = 7;

/** Reads a payload. */
export function readPayload(reader: Reader): Payload {
  const id = reader.u8();
  const type = TYPES[id];
  switch (type) {
    case 'token_transfer':
      return { type, recipient: readClarityPrincipal(reader), amount: reader.u64(), memo: reader.take(34) };
    case 'smart_contract':
      return { type, name: readContractName(reader), source: reader.take(reader.u32()) };
    case 'contract_call':
      return {
        type,
        contract: readContractPrincipal(reader),
        functionName: readClarityName(reader),
        args: readArguments(reader),
      };
    case 'poison_microblock':
      return { type, header1: readMicroblockHeader(reader), header2: readMicroblockHeader(reader) };
    case 'coinbase':
      return { type, data: reader.take(32) };
    case 'coinbase_to_alt_recipient':
      return { type, data: reader.take(32), recipient: readClarityPrincipal(reader) };
    case 'versioned_smart_contract': {
      const clarityVersion = reader.u8();
      if (!isClarityVersion(clarityVersion)) reader.unknownCode('Clarity version', clarityVersion);
      return { type, clarityVersion, name: readContractName(reader), source: reader.take(reader.u32()) };
    }
    case 'tenure_change':
      return { type, ...readTenureChange(reader) };
    case 'nakamoto_coinbase':
      return { type, data: reader.take(32), recipient: readOptionalPrincipal(reader), vrfProof: reader.take(80) };
    default:
      throw new UnknownCodeError('payload type', id, reader.offset - 1);
  }
}

/** A count and values without a list prefix, each as its bytes. */
function readArguments(reader: Reader): Uint8Array[] {
  const count = reader.count(1);
  const args: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const start = reader.offset;
    skipClarity(reader);
    args.push(reader.bytes.subarray(start, reader.offset));
  }
  return args;
}

function readClarityPrincipal(reader: Reader): Principal {
  const prefix = reader.u8();
  if (prefix === Prefix.standardPrincipal) return readStandardPrincipal(reader);
  if (prefix === Prefix.contractPrincipal) return readContractPrincipal(reader);
  throw new CodecError(`a principal expected, not Clarity prefix ${prefix}`, reader.offset - 1);
}

function readOptionalPrincipal(reader: Reader): Principal | undefined {
  const prefix = reader.u8();
  if (prefix === Prefix.none) return undefined;
  if (prefix === Prefix.some) return readClarityPrincipal(reader);
  throw new CodecError(`an optional expected, not Clarity prefix ${prefix}`, reader.offset - 1);
}

const isClarityVersion = (version: number) => version > 0 && version <= MAX_CLARITY_VERSION;

/** Writes a payload. */
export function writePayload(writer: Writer, payload: Payload): void {
  if (payload.type === 'unknown') throw new CodecError('a payload of an unknown type cannot be written', writer.length);
  writer.u8(TYPES.indexOf(payload.type));
  switch (payload.type) {
    case 'token_transfer':
      writeClarityPrincipal(writer, payload.recipient);
      writer.u64(payload.amount).fixed(payload.memo, 34);
      return;
    case 'smart_contract':
      writeContractName(writer, payload.name);
      writer.u32(payload.source.length).raw(payload.source);
      return;
    case 'contract_call':
      writePrincipal(writer, payload.contract);
      writeClarityName(writer, payload.functionName);
      writer.u32(payload.args.length);
      for (const arg of payload.args) writer.raw(arg);
      return;
    case 'poison_microblock':
      writeMicroblockHeader(writer, payload.header1);
      writeMicroblockHeader(writer, payload.header2);
      return;
    case 'coinbase':
      writer.fixed(payload.data, 32);
      return;
    case 'coinbase_to_alt_recipient':
      writer.fixed(payload.data, 32);
      writeClarityPrincipal(writer, payload.recipient);
      return;
    case 'versioned_smart_contract':
      if (!isClarityVersion(payload.clarityVersion))
        throw new UnknownCodeError('Clarity version', payload.clarityVersion, writer.length);
      writer.u8(payload.clarityVersion);
      writeContractName(writer, payload.name);
      writer.u32(payload.source.length).raw(payload.source);
      return;
    case 'tenure_change':
      writeTenureChange(writer, payload);
      return;
    case 'nakamoto_coinbase':
      writer.fixed(payload.data, 32).u8(payload.recipient === undefined ? Prefix.none : Prefix.some);
      if (payload.recipient !== undefined) writeClarityPrincipal(writer, payload.recipient);
      writer.fixed(payload.vrfProof, 80);
      return;
  }
}

function writeClarityPrincipal(writer: Writer, principal: Principal): void {
  writer.u8(principal.name === undefined ? Prefix.standardPrincipal : Prefix.contractPrincipal);
  writePrincipal(writer, principal);
}
