import type { Sql } from '../../db/client.ts';
import type { AssetName } from '../../queries/tokens/nfts.ts';
import { listTokenTransfers, type TokenTransferPosition } from '../../queries/tokens/token-transfers.ts';
import { renderFtTransfers, renderNftTransfers } from '../../schemas/tokens/token-transfer.ts';

type From = TokenTransferPosition | undefined;

/** Transfers, mints and burns of a fungible token, newest first. */
export const findFtTransfers = async (sql: Sql, asset: AssetName, from: From, limit: number) =>
  renderFtTransfers(await listTokenTransfers(sql, 'ft', asset, from, limit), limit);

/** Transfers, mints and burns of the NFTs of a class, newest first. */
export const findNftTransfers = async (sql: Sql, asset: AssetName, from: From, limit: number) =>
  renderNftTransfers(await listTokenTransfers(sql, 'nft', asset, from, limit), limit);
