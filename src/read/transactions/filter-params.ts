import { isAddress } from '@cairn-stacks/codec/address/c32';
import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { outcomes } from '../filters/filter.ts';
import { hasFilter } from '../filters/filter-params.ts';
import { principalOf } from '../principals/principal-params.ts';
import type { TransactionFilter } from './filter-queries.ts';

/** Parameters that filter and sort the list of transactions, in addition to their types. */
export const listFilters = {
  order: Type.Optional(
    Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
      description: 'Direction of the order. The default is `desc`.',
    }),
  ),
  sort_by: Type.Optional(
    Type.Union([Type.Literal('block_height'), Type.Literal('burn_block_time'), Type.Literal('fee')], {
      description: 'What to order by. The default is `block_height`.',
    }),
  ),
  from_address: Type.Optional(Type.String({ description: 'Only transactions that this account sent.' })),
  to_address: Type.Optional(Type.String({ description: 'Only token transfers to this principal.' })),
  start_time: Type.Optional(
    Type.Integer({ description: 'Only transactions whose burn block has this time or a later one, in Unix seconds.' }),
  ),
  end_time: Type.Optional(
    Type.Integer({
      description: 'Only transactions whose burn block has this time or an earlier one, in Unix seconds.',
    }),
  ),
  contract_id: Type.Optional(Type.String({ description: 'Only calls of this contract.' })),
  function_name: Type.Optional(Type.String({ description: 'Only calls of functions with this name.' })),
  nonce: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only transactions with this nonce; 0 means no filter. Without `from_address` it is accepted only if `start_time` and `end_time` leave at most 100,000 transactions.',
    }),
  ),
  status: Type.Optional(
    Type.Union(
      outcomes.map(outcome => Type.Literal(outcome)),
      {
        description:
          'Only transactions with this status: `success`, `failed` (any abort), or one exact `tx_status`. `pending` redirects to the mempool.',
      },
    ),
  ),
};

export type ListQuery = {
  from_address?: string;
  to_address?: string;
  start_time?: number;
  end_time?: number;
  contract_id?: string;
  function_name?: string;
  nonce?: number;
  status?: (typeof outcomes)[number];
};

/** The filter of a request; 400 where a principal is invalid. */
export function listFilterOf(query: ListQuery): TransactionFilter {
  const filter: TransactionFilter = {};
  const { from_address: from, to_address: to, contract_id: contract } = query;
  if (from) {
    if (!isAddress(from)) throw refuse('from_address', from, 'STX address');
    filter.from = principalToBytes(from);
  }
  if (to) filter.to = principalOf(to, refuse('to_address', to, 'STX address').message);
  if (contract) filter.contract = principalOf(contract, refuse('contract_id', contract, 'principal').message);
  if (query.function_name) filter.functionName = query.function_name;
  if (query.nonce) filter.nonce = query.nonce;
  if (query.status && query.status !== 'pending') filter.outcome = query.status;
  if (query.start_time !== undefined) filter.startTime = clamp(query.start_time);
  if (query.end_time !== undefined) filter.endTime = clamp(query.end_time);
  return filter;
}

const refuse = (name: string, value: string, what: string) =>
  badRequest(`Invalid query parameter for "${name}": "${value}" is not a valid ${what}`);

/** Times are four bytes wide: one beyond them is the same as the last. */
const clamp = (seconds: number) => Math.min(Math.max(seconds, -2_147_483_648), 2_147_483_647);

/** Names of shared parameters in the mempool list. */
const pendingNames: Record<string, string> = {
  limit: 'limit',
  offset: 'offset',
  order: 'order',
  from_address: 'sender_address',
  to_address: 'recipient_address',
  unanchored: 'unanchored',
  exclude_function_args: 'exclude_function_args',
  include_state: 'include_state',
};

/** The URL that lists the pending transactions of a query; 400 where the query has a filter that only mined ones have. */
export function pendingListOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  const filter = Object.keys(query).find(name => name === 'cursor' || (name !== 'status' && hasFilter({ [name]: '' })));
  if (filter !== undefined) throw badRequest(`"${filter}" cannot be combined with "status=pending"`);
  for (const [name, value] of Object.entries(query)) {
    if (name === 'status' || value === undefined || !(name in listFilters || name in pendingNames || name === 'type')) {
      continue;
    }
    const known = name === 'sort_by' ? sortNames[String(value)] : pendingNames[name];
    if (known === undefined) throw badRequest(`"${name}" cannot be combined with "status=pending"`);
    if (name === 'sort_by') search.set('order_by', known);
    else search.set(known, String(value));
  }
  return `/extended/v1/tx/mempool${search.size > 0 ? `?${search}` : ''}`;
}

/** Orders of the mempool by the names that the list of the mined has for them. */
const sortNames: Record<string, string> = { block_height: 'age', burn_block_time: 'age', fee: 'fee' };
