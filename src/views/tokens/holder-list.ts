import type { Pieces } from '../../cache/rendered-items.ts';
import type { Sql } from '../../db/client.ts';
import { listPrincipalNames } from '../../queries/principals/principals.ts';
import { type HolderRow, readHolding } from '../../queries/tokens/holders.ts';
import { type Holder, renderHolder } from '../../schemas/tokens/holder.ts';

/** The holders of a token; the names of those not shown of late are read by one question. */
export const gatherHolders = (pieces: Pieces, sql: Sql, listed: readonly HolderRow[]): Promise<Holder[]> =>
  pieces.gather(listed, {
    form: 'holder',
    keyOf: ({ holding }) => holding,
    read: missing =>
      listPrincipalNames(
        sql,
        missing.map(({ holding }) => readHolding(holding).principal),
      ),
    render: ({ name }, { holding }) => renderHolder(name, readHolding(holding).balance),
  });
