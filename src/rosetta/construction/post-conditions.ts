import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { isClarityName } from '@cairn-stacks/codec/name';
import { Reader } from '@cairn-stacks/codec/reader';
import {
  AMOUNT_CODES,
  NFT_CODES,
  POX_CODES,
  type PostCondition,
  type PostConditionPrincipal,
  readPostCondition,
} from '@cairn-stacks/codec/transaction/post-condition';
import type { Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { RosettaError } from '../errors.ts';
import { attempt } from './address.ts';

/** More than any wallet adds. */
const MAX_CONDITIONS = 100;
const LONGEST_HEX = 20_000;

const names = { address: Type.String({ maxLength: 50 }), contract_name: Type.String({ maxLength: 128 }) };
const principal = Type.Object({
  type_id: Type.Union(['principal_origin', 'principal_standard', 'principal_contract'].map(text => Type.Literal(text))),
  address: Type.Optional(names.address),
  contract_name: Type.Optional(names.contract_name),
});
const asset = Type.Object({
  contract_address: names.address,
  contract_name: names.contract_name,
  asset_name: Type.String({ maxLength: 128 }),
});

/** A post-condition as responses of the API have it. */
const ConditionObject = Type.Object({
  type: Type.Union(['stx', 'fungible', 'non_fungible', 'staking', 'pox'].map(text => Type.Literal(text))),
  condition_code: Type.String({ maxLength: 40 }),
  principal,
  amount: Type.Optional(Type.String({ pattern: '^[0-9]{1,20}$' })),
  asset: Type.Optional(asset),
  asset_value: Type.Optional(Type.Object({ hex: Type.String({ maxLength: LONGEST_HEX }) })),
});
type ConditionObject = Static<typeof ConditionObject>;

/** The fields of the metadata of an operation that say what may leave an account. */
export const conditionTerms = {
  post_condition_mode: Type.Optional(
    Type.Union([Type.Literal('allow'), Type.Literal('deny')], {
      description: 'Whether assets may leave an account that no condition names. The default is `deny`.',
    }),
  ),
  post_conditions: Type.Optional(
    Type.Array(Type.Union([Type.String({ maxLength: LONGEST_HEX }), ConditionObject]), {
      maxItems: MAX_CONDITIONS,
      description: 'Post-conditions: each serialized in hex, or as `post_conditions` of a transaction of the API.',
    }),
  ),
};
const terms = Type.Object(conditionTerms);
export type ConditionTerms = Static<typeof terms>;

export type Conditions = Pick<Transaction, 'postConditionMode' | 'postConditions'>;

/** Reads the post-conditions in the metadata of an operation. */
export function readConditions({ post_condition_mode = 'deny', post_conditions = [] }: ConditionTerms): Conditions {
  return {
    postConditionMode: post_condition_mode,
    postConditions: post_conditions.map((given, i) => {
      const condition = attempt(() => (typeof given === 'string' ? readHex(given) : readObject(given)));
      if (condition) return condition;
      throw new RosettaError(
        621,
        `post_conditions[${i}] must be a serialized post-condition or one as the API shows it`,
      );
    }),
  };
}

function readHex(text: string): PostCondition {
  const reader = new Reader(fromHex(text));
  const condition = readPostCondition(reader);
  reader.end();
  return condition;
}

const includes = <T extends string>(codes: { readonly [code: number]: T }, text: string): text is T =>
  (Object.values(codes) as string[]).includes(text);

const MAX_AMOUNT = 2n ** 64n - 1n;

/** Undefined if a part is missing or does not fit the type. */
function readObject(given: ConditionObject): PostCondition | undefined {
  const who = principalOf(given.principal);
  const amount = given.amount === undefined ? undefined : BigInt(given.amount);
  const { type, condition_code: condition } = given;
  if (!who || (amount !== undefined && amount > MAX_AMOUNT)) return undefined;
  switch (type) {
    case 'stx':
    case 'staking':
      if (amount === undefined || !includes(AMOUNT_CODES, condition)) return undefined;
      return { type, principal: who, condition, amount };
    case 'fungible': {
      const of = assetOf(given.asset);
      if (!of || amount === undefined || !includes(AMOUNT_CODES, condition)) return undefined;
      return { type, principal: who, asset: of, condition, amount };
    }
    case 'non_fungible': {
      const of = assetOf(given.asset);
      const value = given.asset_value && fromHex(given.asset_value.hex);
      if (!of || !value || !includes(NFT_CODES, condition)) return undefined;
      decodeClarity(value);
      return { type, principal: who, asset: of, value, condition };
    }
    case 'pox':
      return includes(POX_CODES, condition) ? { type, principal: who, condition } : undefined;
    default:
      return undefined;
  }
}

function principalOf({ type_id, address, contract_name }: ConditionObject['principal']) {
  if (type_id === 'principal_origin') return { type: 'origin' } satisfies PostConditionPrincipal;
  const isContract = type_id === 'principal_contract';
  if (address === undefined || isContract !== (contract_name !== undefined)) return undefined;
  const type = isContract ? ('contract' as const) : ('standard' as const);
  return { type, ...parsePrincipal(isContract ? `${address}.${contract_name}` : address) };
}

function assetOf(given: ConditionObject['asset']) {
  if (!given || !isClarityName(given.asset_name)) return undefined;
  const { version, hash, name } = parsePrincipal(`${given.contract_address}.${given.contract_name}`);
  return name === undefined ? undefined : { contract: { version, hash, name }, asset: given.asset_name };
}
