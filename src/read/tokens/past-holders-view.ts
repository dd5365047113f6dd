import type { Reader } from '../../db/client.ts';
import { asOfAtBlock } from '../pages/at-block-params.ts';
import { renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import type { AssetName } from './nfts-queries.ts';
import { listPastHolders } from './past-holders-queries.ts';
import { pastHolderCursor, readPastHolderCursor, renderRankedHolder } from './ranked-holder-schema.ts';

/** A page of the holders after the block `at_block`; 404 if the chain has no such block. STX without an asset. */
export async function renderPastHolders(
  sql: Reader,
  asset: AssetName | undefined,
  { at_block, cursor, limit }: { at_block: string; cursor: string | undefined; limit: number },
) {
  const asOf = asOfAtBlock(at_block);
  const found = await listPastHolders(sql, asset, asOf, { cursor: readPastHolderCursor(cursor), limit });
  if (!found) throw noBlockAsOf(asOf);
  return renderKeyedPage(found, limit, { cursorOf: pastHolderCursor, render: renderRankedHolder });
}
