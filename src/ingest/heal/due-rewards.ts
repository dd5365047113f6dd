import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { decodeAccepted, senderAddress } from '@cairn-stacks/codec/transaction/transaction';
import { payloadIdsOf } from '../../chain/transaction.ts';
import { constant, type Pool } from '../../db/client.ts';

/** The matured reward of a miner without the coinbase, whose amount no rule gives. */
export type DueReward = {
  recipient: string;
  miner: string;
  getsCoinbase: boolean;
  feesAnchored: bigint;
  feesProduced: bigint;
  blockHash: Buffer;
  indexHash: Buffer;
};

/** Tenures after which a reward matures, on every public network. */
const protocolMaturity = 100;

/**
 * The miners that are paid when a tenure starts: the one of an old tenure, and the one before it, which gets the fees of its
 * own tenure. Empty where nothing can have matured; undefined where the tables lack the facts.
 */
export async function findDueRewards(sql: Pool, tenureHeight: number): Promise<DueReward[] | undefined> {
  const matured = tenureHeight - (await findMaturity(sql));
  if (matured < 1) return [];
  const [miner, before] = await Promise.all([findMiner(sql, matured), findMiner(sql, matured - 1)]);
  if (!miner || (!before && matured > 1)) return undefined;
  // In epochs 2.x fees of microblocks are shared by rules that changed; only a miner without them is judged.
  if ((before && miner.nakamoto !== before.nakamoto) || (!miner.nakamoto && miner.streamed > 0)) return undefined;
  const due = [{ ...miner, getsCoinbase: true, feesAnchored: miner.nakamoto ? 0n : miner.fees, feesProduced: 0n }];
  if (!before) return due;
  const feesProduced = miner.nakamoto ? before.fees : 0n;
  return [...due, { ...before, getsCoinbase: false, feesAnchored: 0n, feesProduced }];
}

/** Tenures between a reward and its payment, as the last payment shows it. */
async function findMaturity(sql: Pool): Promise<number> {
  const [row] = await sql<{ maturity: number }[]>`
    select b.tenure - f.tenure as maturity
    from miner_rewards r
    join blocks b on b.height = r.height
    join blocks f on f.index_hash = r.from_index_hash
    where r.coinbase > 0 and b.tenure > 0 and f.tenure > 0
    order by r.height desc, r.position
    limit 1
  `;
  return row?.maturity ?? protocolMaturity;
}

type Miner = Pick<DueReward, 'recipient' | 'miner' | 'blockHash' | 'indexHash'> & {
  nakamoto: boolean;
  fees: bigint;
  streamed: number;
};

/** The miner of a tenure, from the coinbase of its first block, and the fees of all its blocks. */
async function findMiner(sql: Pool, tenure: number): Promise<Miner | undefined> {
  const [row] = await sql<
    { hash: Buffer; index_hash: Buffer; nakamoto: boolean; raw: Buffer | null; fees: string; streamed: number }[]
  >`
    select b.hash, b.index_hash, length(b.miner_signature) > 0 as nakamoto, c.raw, s.fees, s.streamed
    from (
      select f.height, f.hash, f.index_hash, f.miner_signature
      from blocks f
      where f.tenure = ${tenure}
      order by f.height
      limit 1
    ) b
    left join lateral (
      select t.raw from transactions t where t.height = b.height and t.type in (${constant(sql, ...payloadIdsOf('coinbase'))}) order by t.place limit 1
    ) c on true
    cross join lateral (
      select coalesce(sum(t.fee), 0) as fees, count(*) filter (where length(t.microblock) > 0)::int as streamed
      from blocks o
      join transactions t on t.height = o.height
      where o.tenure = ${tenure}
    ) s
  `;
  if (!row?.raw) return undefined;
  const transaction = decodeAccepted(row.raw);
  const { payload } = transaction;
  const miner = senderAddress(transaction);
  const other =
    payload.type === 'nakamoto_coinbase' || payload.type === 'coinbase_to_alt_recipient'
      ? payload.recipient
      : undefined;
  return {
    recipient: other ? formatPrincipal(other) : miner,
    miner,
    blockHash: row.hash,
    indexHash: row.index_hash,
    nakamoto: row.nakamoto,
    fees: BigInt(row.fees),
    streamed: row.streamed,
  };
}
