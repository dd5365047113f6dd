import type { Pool, Sql } from '../../db/client.ts';
import { eventPositionCursor } from '../events/event-position-schema.ts';
import { renderKeyedPage } from '../pages/cursor-list-schema.ts';
import { renderNftMove } from './nft-move-schema.ts';
import { listNftMoves } from './nft-moves-queries.ts';
import { holderCursor, renderHolder } from './ranked-holder-schema.ts';
import { listNftHolders, listRankedHolders } from './ranked-holders-queries.ts';

type Asset = { contract: Uint8Array; name: string };
type HolderPage = Parameters<typeof listRankedHolders>[2];
type MovePage = Parameters<typeof listNftMoves>[3];

/** Holders of a fungible token, or of STX where undefined, the largest balance first. */
export async function listRankedHoldersOf(sql: Pool, asset: Asset | undefined, page: HolderPage) {
  const found = await listRankedHolders(sql, asset, page);
  return renderKeyedPage(found, page.limit, { cursorOf: holderCursor, render: renderHolder });
}

/** Holders of the NFTs of a class, those with the most first. */
export async function listNftHoldersOf(sql: Pool, asset: Asset, page: HolderPage) {
  const found = await listNftHolders(sql, asset, page);
  return renderKeyedPage(found, page.limit, { cursorOf: holderCursor, render: renderHolder });
}

/** Every move of an NFT, newest first. */
export async function listMovesOfNft(sql: Sql, asset: Asset, value: Uint8Array, page: MovePage) {
  const found = await listNftMoves(sql, asset, value, page);
  return renderKeyedPage(found, page.limit, { cursorOf: eventPositionCursor, render: renderNftMove });
}
