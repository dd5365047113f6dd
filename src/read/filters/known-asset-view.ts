import type { Sql } from '../../db/client.ts';
import { badRequest } from '../../errors.ts';
import type { EventHistoryFilter } from './filter.ts';

/** Refuses a filter by an asset that no event of the chain has named. */
export async function refuseUnknownAsset(
  sql: Sql,
  { asset }: EventHistoryFilter,
  text: string | undefined,
): Promise<void> {
  if (asset === undefined || asset === 'STX') return;
  const known = await sql`
    select 1
    from principals c
    join assets a on a.contract = c.id and a.name = ${asset.name}
    where c.name = ${asset.contract}
  `;
  if (known.length === 0) throw badRequest(`asset "${text}" is unknown`);
}
