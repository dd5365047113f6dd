import type { Sql } from '../../db/client.ts';
import { type FtTransferPosition, listFtTransfers } from '../../queries/tokens/ft-transfers.ts';
import type { AssetName } from '../../queries/tokens/nfts.ts';
import { renderFtTransfers } from '../../schemas/tokens/ft-transfer.ts';

/** Transfers, mints and burns of a token, newest first. */
export const findFtTransfers = async (
  sql: Sql,
  asset: AssetName,
  from: FtTransferPosition | undefined,
  limit: number,
) => renderFtTransfers(await listFtTransfers(sql, asset, from, limit), limit);
