import type { FastifyRequest } from 'fastify';
import type { Statement } from '../../db/statement.ts';
import { listOf } from '../pages/walk-cursor-params.ts';
import { walk } from '../pages/walk-view.ts';
import { type HistoryPlace, type HistoryStep, outermost, startAt } from './steps-queries.ts';

/** A request for a list that an older version has pages of by offset. */
type WalkRequest = Pick<FastifyRequest, 'sql' | 'routeOptions' | 'params'> & { query: { cursor?: string } };

type FilteredWalk<Row> = { rows: Row[]; next_cursor: string | null; prev_cursor: null };

/** Reads a step of a filtered list from the place that the cursor of the request names, newest first. */
export const walkFiltered = <Row>(
  request: WalkRequest,
  read: (start: Statement<unknown>) => Promise<HistoryStep<Row>>,
): Promise<FilteredWalk<Row>> => walkPlaces(request, (place = outermost.newest) => read(startAt(request.sql, place)));

/** The same, in any order. */
export async function walkPlaces<Row>(
  request: WalkRequest,
  read: (place: HistoryPlace | undefined) => Promise<HistoryStep<Row>>,
): Promise<FilteredWalk<Row>> {
  const { sql, query } = request;
  const { found, cursorAt } = await walk(sql, { list: listOf(request), cursor: query.cursor }, at => {
    const [height, place, eventIndex] = at ?? [];
    const isPlace = height !== undefined && place !== undefined && eventIndex !== undefined;
    return read(isPlace ? { height, place, eventIndex } : undefined);
  });
  const { rows, next } = found;
  return { rows, next_cursor: cursorAt(next && [next.height, next.place, next.eventIndex]), prev_cursor: null };
}
