import { outputKinds } from '../../chain/sbtc/bitcoin-output.ts';
import { constant, type Sql } from '../../db/client.ts';

/** What Emily and a Bitcoin node have said of an output; all null if nobody was asked, or nobody knew. */
export type BitcoinSideRow = {
  side_amount: string | null;
  side_told: string | null;
  side_max_fee: string | null;
  side_lock: number | null;
  side_mined: number | null;
  side_script: Buffer | null;
  side_swept: boolean | null;
  side_sweep: number | null;
};

/** The columns of an output `x` whose sweep a row names. */
export const bitcoinSideColumns = (sql: Sql, sweep: ReturnType<Sql>) => sql`
  x.amount as side_amount, x.told_amount as side_told, x.max_fee as side_max_fee, x.lock_blocks as side_lock,
  x.mined_height as side_mined, x.script as side_script,
  case when ${isOf(sql, sweep)} then x.swept end as side_swept, case when ${isOf(sql, sweep)} then x.sweep_state end as side_sweep
`;

/** After a fork of Stacks another sweep may be named than the one that was looked at. */
const isOf = (sql: Sql, sweep: ReturnType<Sql>) =>
  sql`x.sweep_tx_id = ${sweep}.sweep_tx_id and x.sweep_burn_hash = ${sweep}.burn_hash`;

/** The output `x` of a kind at an id and a number. */
export const joinOutput = (
  sql: Sql,
  kind: keyof typeof outputKinds,
  at: { txId: ReturnType<Sql>; vout: ReturnType<Sql> },
) => sql`
  left join bitcoin_outputs x on x.kind = ${constant(sql, outputKinds[kind])} and x.tx_id = ${at.txId} and x.vout = ${at.vout}
`;
