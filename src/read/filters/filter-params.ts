import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { type EventType, eventCodeOf } from '../events/event-types.ts';
import { blockRangeOf, blockRangeQuery } from '../pages/block-range-params.ts';
import { principalOf } from '../principals/principal-params.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { type EventHistoryFilter, feeCode, outcomes, rewardCode, type TransactionHistoryFilter } from './filter.ts';

const Principal = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 170, description }));

/** Of the transaction. */
export const FunctionName = Type.Optional(
  Type.String({
    pattern: '^([a-zA-Z]([a-zA-Z0-9]|[-_!?+<>=/*]){0,127}|[-+=/*]|[<>]=?)$',
    description: 'Only what is of calls of functions with this name.',
  }),
);

/** Parameters that filter the transactions of an account. */
export const transactionFilterQuery = {
  ...blockRangeQuery,
  sender: Principal('Only transactions that this account sent.'),
  recipient: Principal('Only token transfers to this account or contract.'),
  contract: Principal('Only calls and the deployment of this contract.'),
  function: FunctionName,
  status: Type.Optional(
    Type.Enum(
      [...outcomes].filter(outcome => outcome !== 'pending'),
      {
        description: 'Only transactions with this status: `success`, `failed` (any abort), or one exact `tx_status`.',
      },
    ),
  ),
};

/** Kinds of what moves the assets of an account: events, fees that it paid and rewards for mining. */
export const movementTypes = [
  'fee',
  'mining_reward',
  'stx_transfer',
  'stx_mint',
  'stx_burn',
  'stx_lock',
  'ft_transfer',
  'ft_mint',
  'ft_burn',
  'nft_transfer',
  'nft_mint',
  'nft_burn',
] as const;
type MovementType = (typeof movementTypes)[number];

/** Parameters that filter a list of events of these types. */
export const eventFilterQuery = <T extends EventType | MovementType>(types: readonly T[]) => ({
  ...blockRangeQuery,
  sender: Principal('Only events with this sender.'),
  recipient: Principal('Only events with this recipient.'),
  contract: Principal('Only events of assets of this contract, and what it printed or locked.'),
  function: FunctionName,
  asset: Type.Optional(
    Type.Union([Type.Literal('STX'), AssetIdentifierParam], {
      description: 'Only movements of this asset: `STX`, or `CONTRACT_ID::ASSET_NAME`.',
    }),
  ),
  event_type: Type.Optional(
    Type.Array(Type.Enum([...types]), {
      minItems: 1,
      maxItems: types.length,
      [COMMA_LIST]: true,
      description: 'Only events of these types, separated by commas.',
    }),
  ),
  min_amount: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,39}$',
      description: 'Only events with this amount or a larger one, in the smallest unit. NFTs and logs have no amount.',
    }),
  ),
});

const TransactionFilterQuery = Type.Object(transactionFilterQuery);
const EventFilterQuery = Type.Object(eventFilterQuery<EventType | MovementType>([]));

const known = { ...transactionFilterQuery, ...eventFilterQuery([]) };

/** Parameters that filter the transfers of one asset. */
const { contract: _contract, asset: _asset, event_type: _type, ...ofTransfers } = eventFilterQuery([]);
export const transferFilterQuery = ofTransfers;

/** Parameters that filter the moves of the assets of one class. */
export const moveFilterQuery = <T extends EventType>(types: readonly T[]) => {
  const { contract: _contract, asset: _asset, min_amount: _amount, ...moves } = eventFilterQuery(types);
  return moves;
};

/** Parameters that filter the transactions of one block. */
const { from_height: _from, to_height: _to, from_time: _since, to_time: _until, ...ofBlock } = transactionFilterQuery;
export const blockFilterQuery = ofBlock;

/** Whether a request has a filter, be it one of another list; `recorded` are parameters that the list had before. */
export const hasFilter = (query: object, recorded: readonly string[] = []): boolean =>
  Object.entries(query).some(([name, value]) => value !== undefined && name in known && !recorded.includes(name));

/** The query with the filters that its recorded parameters mean; 400 where both are given and differ. */
export function withRecorded<Query extends object>(
  query: Query,
  recordedNames: Readonly<Record<string, string>>,
): Query {
  const merged = { ...query } as Record<string, unknown>;
  for (const [filter, recorded] of Object.entries(recordedNames)) {
    const [value, same] = [merged[filter], merged[recorded]];
    if (same === undefined || same === '') continue;
    if (value !== undefined && value !== same) {
      throw badRequest(`${filter} and ${recorded} mean the same here and differ: give one of them`);
    }
    merged[filter] = same;
  }
  return merged as Query;
}

/** Refuses what a list by offset has and a filtered one has not. */
export function refuseBesideFilters(query: {
  offset?: number;
  unanchored?: boolean;
  height?: number;
  until_block?: string;
  at_block?: string;
}): void {
  const { height, until_block, at_block } = query;
  const [point] = Object.entries({ height, until_block, at_block }).find(([, value]) => value) ?? [];
  if (point) throw badRequest(`${point} cannot be combined with filters: give from_height and to_height`);
  if (query.offset) throw badRequest('offset cannot be combined with filters or cursor: go on with next_cursor');
  if (query.unanchored)
    throw badRequest('unanchored cannot be combined with filters or cursor: they list what blocks have confirmed');
}

/** Refuses filters of other lists: ignored, they would select nothing that the client asked for. */
export function refuseOthers(query: object, served: object): void {
  const names = Object.keys(known);
  const other = Object.keys(query).find(name => names.includes(name) && !(name in served));
  if (other === undefined) return;
  const serving = names.filter(name => name in served).join(', ');
  throw badRequest(`${other} cannot filter this list; any mix of these can: ${serving}`);
}

function principalIn(name: string, text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : principalOf(text, `${name} "${text}" is not an account or a contract`);
}

function contractIn(text: string | undefined): Uint8Array | undefined {
  const contract = principalIn('contract', text);
  if (contract && !text!.includes('.')) throw badRequest(`contract "${text}" is an account`);
  return contract;
}

/** The filter of a list of transactions; 400 where a value has no meaning. */
export function transactionFilterOf(
  query: Static<typeof TransactionFilterQuery>,
  served: object = transactionFilterQuery,
): TransactionHistoryFilter {
  refuseOthers(query, served);
  const [sender, recipient] = [principalIn('sender', query.sender), principalIn('recipient', query.recipient)];
  const contract = contractIn(query.contract);
  const { function: functionName, status: outcome } = query;
  if (recipient && (contract || functionName !== undefined)) {
    const other = contract ? 'contract' : 'function';
    throw badRequest(`recipient selects token transfers, ${other} those of contracts: no transaction is both`);
  }
  return {
    range: blockRangeOf(query),
    ...(sender && { sender }),
    ...(recipient && { recipient }),
    ...(contract && { contract }),
    ...(functionName !== undefined && { functionName }),
    ...(outcome !== undefined && { outcome }),
  };
}

/** The filter of a list of events of these types; 400 where a value has no meaning. */
export function eventFilterOf(
  query: Static<typeof EventFilterQuery>,
  types: readonly (EventType | MovementType)[],
  served: object = eventFilterQuery([]),
): EventHistoryFilter {
  refuseOthers(query, served);
  const [sender, recipient] = [principalIn('sender', query.sender), principalIn('recipient', query.recipient)];
  const contract = contractIn(query.contract);
  const { function: functionName, min_amount: minAmount, event_type: eventTypes = types } = query;
  const asset = query.asset === undefined || query.asset === 'STX' ? query.asset : assetOf(query.asset);
  if (query.asset !== undefined && asset === undefined) {
    throw badRequest(`asset "${query.asset}" is not STX or an asset identifier`);
  }
  refuseContradictions(query);
  return {
    range: blockRangeOf(query),
    kinds: eventTypes.map(codeOf),
    ...(sender && { sender }),
    ...(recipient && { recipient }),
    ...(contract && { contract }),
    ...(functionName !== undefined && { functionName }),
    ...(asset !== undefined && { asset }),
    ...(minAmount !== undefined && { minAmount: BigInt(minAmount) }),
  };
}

const stxTypes: readonly string[] = ['stx_transfer', 'stx_mint', 'stx_burn', 'fee', 'mining_reward'];
const isOfTokens = (type: string) => /^n?ft_/.test(type);
const hasNoAmount = (type: string) => type.startsWith('nft_') || type === 'contract_log';

/** Refuses filters that no event can match together. */
function refuseContradictions({
  asset,
  contract,
  event_type: types,
  min_amount: amount,
}: Static<typeof EventFilterQuery>) {
  if (asset === 'STX' && contract !== undefined) {
    throw badRequest('asset STX is of no contract: give either asset or contract');
  }
  if (asset !== undefined && contract !== undefined && !asset.startsWith(`${contract}::`)) {
    throw badRequest(`asset "${asset}" is not of contract "${contract}"`);
  }
  if (
    asset !== undefined &&
    types &&
    !types.some(type => (asset === 'STX' ? stxTypes.includes(type) : isOfTokens(type)))
  ) {
    throw badRequest(`event_type ${types.join(',')} moves no asset "${asset}"`);
  }
  if (amount !== undefined && types?.every(hasNoAmount)) {
    throw badRequest(`event_type ${types.join(',')} has no amount: min_amount selects none of them`);
  }
}

function codeOf(type: EventType | MovementType): number {
  if (type === 'fee') return feeCode;
  return type === 'mining_reward' ? rewardCode : eventCodeOf(type);
}
