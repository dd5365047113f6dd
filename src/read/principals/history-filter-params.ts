import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { COMMA_LIST } from '../../http/comma-params.ts';
import { type EventType, eventCodeOf } from '../events/event-types.ts';
import { blockRangeOf, blockRangeQuery } from '../pages/block-range-params.ts';
import { AssetIdentifierParam, assetOf } from '../tokens/asset-params.ts';
import { outcomes } from '../transactions/filter-params.ts';
import { type EventHistoryFilter, feeCode, rewardCode, type TransactionHistoryFilter } from './history-filter.ts';
import { principalOf } from './principal-params.ts';

const Principal = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 170, description }));

const FunctionName = Type.Optional(
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

/** Whether a request has a filter, be it one of another list. */
export const hasFilter = (query: object): boolean => Object.keys(query).some(name => name in known);

/** Refuses filters of other lists: ignored, they would select nothing that the client asked for. */
function refuseOthers(query: object, served: object): void {
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

function codeOf(type: EventType | MovementType): number {
  if (type === 'fee') return feeCode;
  return type === 'mining_reward' ? rewardCode : eventCodeOf(type);
}
