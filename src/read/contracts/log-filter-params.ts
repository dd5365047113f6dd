import { type Static, Type } from 'typebox';
import { FunctionName, refuseOthers } from '../filters/filter-params.ts';
import { blockRangeOf, blockRangeQuery } from '../pages/block-range-params.ts';
import { principalOf } from '../principals/principal-params.ts';
import type { FilteredLogQuery } from './filtered-logs-queries.ts';
import { printFilterOf, printFilterQuery } from './print-filter-params.ts';

/** Parameters that filter the prints of a contract. */
export const logFilterQuery = {
  ...blockRangeQuery,
  sender: Type.Optional(
    Type.String({ maxLength: 170, description: 'Only events of transactions that this account sent.' }),
  ),
  function: FunctionName,
  ...printFilterQuery,
};

const LogFilterQuery = Type.Object(logFilterQuery);

type LogFilter = Pick<FilteredLogQuery, 'filter' | 'range' | 'sender' | 'functionName'>;

/** What a request selects; undefined where it wants all. */
export function logFilterOf(query: Static<typeof LogFilterQuery>): LogFilter | undefined {
  refuseOthers(query, logFilterQuery);
  const filter = printFilterOf(query);
  const range = blockRangeOf(query);
  const sender =
    query.sender === undefined ? undefined : principalOf(query.sender, `sender "${query.sender}" is not an account`);
  const { function: functionName } = query;
  const isWhole =
    filter.topic === undefined && filter.values.length === 0 && Object.values(range).every(end => end === undefined);
  return isWhole && sender === undefined && functionName === undefined
    ? undefined
    : { filter, range, sender, functionName };
}

/** The filter that every print matches. */
export const everyLog: LogFilter = { filter: { values: [] }, range: {} };
