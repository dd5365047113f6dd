import type { Static, Type } from 'typebox';
import { payloadIds, payloadIdsOf, type TransactionType } from '../../chain/transaction.ts';
import { badRequest } from '../../errors.ts';
import type { TransactionHistoryFilter } from '../filters/filter.ts';
import {
  hasFilter,
  refuseBesideFilters,
  transactionFilterOf,
  type transactionFilterQuery,
  withRecorded,
} from '../filters/filter-params.ts';
import type { ListQuery } from './filter-params.ts';

/** The filters of version 1 by the names that other lists have for them. */
const recordedNames = {
  sender: 'from_address',
  recipient: 'to_address',
  from_time: 'start_time',
  to_time: 'end_time',
  contract: 'contract_id',
  function: 'function_name',
};

type FilterQuery = Omit<Static<ReturnType<typeof Type.Object<typeof transactionFilterQuery>>>, 'status'>;

type FilteredListQuery = FilterQuery &
  ListQuery & {
    type?: TransactionType[];
    cursor?: string;
    offset?: number;
    unanchored?: boolean;
    order?: 'asc' | 'desc';
    sort_by?: string;
  };

/** Whether a request is served by steps along an index, which count nothing, or refused as one of those. */
export function isFiltered({ cursor, ...query }: FilteredListQuery): boolean {
  if (hasFilter(query, ['status'])) return true;
  const { nonce, status, order, sort_by: sortBy } = query;
  const named = [
    ...Object.values(recordedNames).map(name => query[name as keyof typeof query]),
    nonce,
    status,
    order,
    sortBy,
  ];
  return cursor !== undefined && named.some(value => value !== undefined);
}

/** Refuses orders in which a walk would meet what arrives meanwhile. */
function refuseOtherOrders({ order = 'desc', sort_by: sortBy = 'block_height' }: FilteredListQuery): void {
  if (order !== 'desc') throw badRequest('order=asc cannot be combined with filters or cursor: they list newest first');
  if (sortBy !== 'block_height') {
    throw badRequest(`sort_by=${sortBy} cannot be combined with filters or cursor: they list newest first`);
  }
}

/** The filter of a request, from its recorded parameters too. */
export function filteredListOf(query: FilteredListQuery): TransactionHistoryFilter {
  refuseBesideFilters(query);
  refuseOtherOrders(query);
  const { status, ...others } = withRecorded(query, recordedNames);
  const filter = transactionFilterOf({ ...others, ...(status !== undefined && status !== 'pending' && { status }) });
  const types = typesOf(query);
  return { ...filter, ...(types && { types }), ...(query.nonce ? { nonce: query.nonce } : {}) };
}

/** `contract_id` has always meant calls alone. */
function typesOf({ type, contract_id: called }: FilteredListQuery): number[] | undefined {
  const types = type?.flatMap(payloadIdsOf);
  if (called === undefined) return types;
  const call = payloadIds.contract_call;
  return types === undefined || types.includes(call) ? [call] : [];
}
