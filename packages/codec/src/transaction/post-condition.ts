import {
  type AssetId,
  type Principal,
  readContractPrincipal,
  readStandardPrincipal,
  writeClarityName,
  writePrincipal,
} from '../address/principal.ts';
import { skipClarity } from '../clarity/skip.ts';
import { UnknownCodeError } from '../error.ts';
import { readClarityName } from '../name.ts';
import type { Reader, UnknownName } from '../reader.ts';
import type { Writer } from '../writer.ts';

export const AMOUNT_CODES = {
  1: 'sent_equal_to',
  2: 'sent_greater_than',
  3: 'sent_greater_than_or_equal_to',
  4: 'sent_less_than',
  5: 'sent_less_than_or_equal_to',
} as const;
export const NFT_CODES = { 16: 'sent', 17: 'not_sent', 18: 'maybe_sent' } as const;
export const POX_CODES = { 48: 'not_performed', 49: 'maybe_performed', 50: 'performed' } as const;

/** How an amount is compared. */
export type AmountCondition = (typeof AMOUNT_CODES)[keyof typeof AMOUNT_CODES];
/** Whether a non-fungible token leaves its owner; `maybe_sent` by SIP-040. */
export type NftCondition = (typeof NFT_CODES)[keyof typeof NFT_CODES];
/** Whether a stacking position may change. */
export type PoxCondition = (typeof POX_CODES)[keyof typeof POX_CODES];

/** Whose assets are watched: the origin's, or those of a principal. */
export type PostConditionPrincipal = { type: 'origin' } | ({ type: 'standard' | 'contract' } & Principal);

/** A condition on the assets of a principal after execution (SIP-005). */
export type PostCondition = { principal: PostConditionPrincipal } & (
  | { type: 'stx' | 'staking'; condition: AmountCondition | UnknownName; amount: bigint }
  | { type: 'fungible'; asset: AssetId; condition: AmountCondition | UnknownName; amount: bigint }
  /** The value names the token: serialized Clarity, already checked. */
  | { type: 'non_fungible'; asset: AssetId; value: Uint8Array; condition: NftCondition | UnknownName }
  | { type: 'pox'; condition: PoxCondition | UnknownName }
);

const TYPES = ['stx', 'fungible', 'non_fungible', 'staking', 'pox'] as const;

/** No post-condition is shorter than type, origin and code. */
const MIN_SIZE = 3;

/** Reads a count and that many post-conditions. */
export function readPostConditions(reader: Reader): PostCondition[] {
  const count = reader.count(MIN_SIZE);
  const conditions: PostCondition[] = [];
  for (let i = 0; i < count; i++) conditions.push(readPostCondition(reader));
  return conditions;
}

/** Reads one post-condition. */
export function readPostCondition(reader: Reader): PostCondition {
  const id = reader.u8();
  const type = TYPES[id];
  if (type === undefined) throw new UnknownCodeError('post-condition type', id, reader.offset - 1);
  const principal = readPrincipal(reader);
  switch (type) {
    case 'stx':
    case 'staking':
      return { type, principal, condition: readCode(reader, AMOUNT_CODES), amount: reader.u64() };
    case 'fungible':
      return {
        type,
        principal,
        asset: readAsset(reader),
        condition: readCode(reader, AMOUNT_CODES),
        amount: reader.u64(),
      };
    case 'non_fungible': {
      const asset = readAsset(reader);
      const start = reader.offset;
      skipClarity(reader);
      const value = reader.bytes.subarray(start, reader.offset);
      return { type, principal, asset, value, condition: readCode(reader, NFT_CODES) };
    }
    case 'pox':
      return { type, principal, condition: readCode(reader, POX_CODES) };
  }
}

function readPrincipal(reader: Reader): PostConditionPrincipal {
  const id = reader.u8();
  switch (id) {
    case 1:
      return { type: 'origin' };
    case 2:
      return { type: 'standard', ...readStandardPrincipal(reader) };
    case 3:
      return { type: 'contract', ...readContractPrincipal(reader) };
    default:
      throw new UnknownCodeError('post-condition principal', id, reader.offset - 1);
  }
}

function readAsset(reader: Reader): AssetId {
  return { contract: readContractPrincipal(reader), asset: readClarityName(reader) };
}

function readCode<T extends string>(reader: Reader, codes: { readonly [code: number]: T }): T | UnknownName {
  const code = reader.u8();
  return codes[code] ?? reader.unknownCode('condition code', code);
}

/** Writes a count and the post-conditions. */
export function writePostConditions(writer: Writer, conditions: readonly PostCondition[]): void {
  writer.u32(conditions.length);
  for (const condition of conditions) writePostCondition(writer, condition);
}

/** Writes one post-condition. */
export function writePostCondition(writer: Writer, condition: PostCondition): void {
  writer.u8(TYPES.indexOf(condition.type));
  writePrincipalOf(writer, condition.principal);
  switch (condition.type) {
    case 'stx':
    case 'staking':
      writer.u8(codeOf(AMOUNT_CODES, condition.condition)).u64(condition.amount);
      return;
    case 'fungible':
      writeAsset(writer, condition.asset);
      writer.u8(codeOf(AMOUNT_CODES, condition.condition)).u64(condition.amount);
      return;
    case 'non_fungible':
      writeAsset(writer, condition.asset);
      writer.raw(condition.value).u8(codeOf(NFT_CODES, condition.condition));
      return;
    case 'pox':
      writer.u8(codeOf(POX_CODES, condition.condition));
      return;
  }
}

function writePrincipalOf(writer: Writer, principal: PostConditionPrincipal): void {
  if (principal.type === 'origin') {
    writer.u8(1);
    return;
  }
  writer.u8(principal.name === undefined ? 2 : 3);
  writePrincipal(writer, principal);
}

function writeAsset(writer: Writer, { contract, asset }: AssetId): void {
  writePrincipal(writer, contract);
  writeClarityName(writer, asset);
}

function codeOf(codes: { readonly [code: number]: string }, condition: string): number {
  return Number(Object.keys(codes).find(code => codes[Number(code)] === condition));
}
