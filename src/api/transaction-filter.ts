import { Type } from 'typebox';
import { isAddress } from '../codec/c32.ts';
import { principalToBytes } from '../codec/principal.ts';
import { badRequest } from '../errors.ts';
import type { TransactionFilter } from '../queries/transaction-filter.ts';
import { principalOf } from './principal-param.ts';

/** Parameters that choose and sort the transactions of the list, beside their types. */
export const listFilters = {
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  sort_by: Type.Optional(
    Type.Union([Type.Literal('block_height'), Type.Literal('burn_block_time'), Type.Literal('fee')]),
  ),
  from_address: Type.Optional(Type.String({ description: 'Sent by this account.' })),
  to_address: Type.Optional(Type.String({ description: 'Token transfers to this principal.' })),
  start_time: Type.Optional(Type.Integer({ description: 'From this time of the burn block on, in seconds.' })),
  end_time: Type.Optional(Type.Integer({ description: 'Up to this time of the burn block, in seconds.' })),
  contract_id: Type.Optional(Type.String({ description: 'Calls of this contract.' })),
  function_name: Type.Optional(Type.String({ description: 'Calls of a function of this name.' })),
  nonce: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: '0 counts as no filter.' }),
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
};

/** What a caller asks for; a 400 where a name is none. */
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
  if (query.start_time !== undefined) filter.startTime = clamp(query.start_time);
  if (query.end_time !== undefined) filter.endTime = clamp(query.end_time);
  return filter;
}

const refuse = (name: string, value: string, what: string) =>
  badRequest(`Invalid query parameter for "${name}": "${value}" is not a valid ${what}`);

/** Times are four bytes wide: one beyond them is the same as the last. */
const clamp = (seconds: number) => Math.min(Math.max(seconds, -2_147_483_648), 2_147_483_647);
