import type { Sql } from '../../db/client.ts';
import type { AssetName } from './nfts-queries.ts';
import { renderFtTransfers, renderNftTransfers } from './token-transfer-schema.ts';
import { listTokenTransfers, type TokenTransferPosition } from './token-transfers-queries.ts';

type From = TokenTransferPosition | undefined;

/** Transfers, mints and burns of a fungible token, newest first. */
export const findFtTransfers = async (sql: Sql, asset: AssetName, from: From, limit: number) =>
  renderFtTransfers(await listTokenTransfers(sql, 'ft', asset, from, limit), limit);

/** Transfers, mints and burns of the NFTs of a class, newest first. */
export const findNftTransfers = async (sql: Sql, asset: AssetName, from: From, limit: number) =>
  renderNftTransfers(await listTokenTransfers(sql, 'nft', asset, from, limit), limit);
