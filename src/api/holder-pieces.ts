import type { Sql } from '../db/client.ts';
import type { HolderRow } from '../queries/holders.ts';
import { listPrincipalNames } from '../queries/principals.ts';
import { type Holder, renderHolder } from '../schemas/holder.ts';
import type { Pieces } from './pieces.ts';

/** The holders of a token; the names of those not shown of late are read by one question. */
export const gatherHolders = (pieces: Pieces, sql: Sql, listed: readonly HolderRow[]): Promise<Holder[]> =>
  pieces.gather(listed, {
    form: 'holder',
    keyOf: ({ principal, balance }) => `${principal} ${balance}`,
    read: missing =>
      listPrincipalNames(
        sql,
        missing.map(({ principal }) => principal),
      ),
    render: ({ name }, { balance }) => renderHolder(name, balance),
  });
