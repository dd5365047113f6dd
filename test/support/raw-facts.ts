import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';

/** Somebody's credit or debit as the messages of blocks have it. */
export type RawMove = {
  height: number;
  tx_id: string;
  event_index: number;
  asset: string;
  value: string | null;
  sender: string | null;
  recipient: string | null;
  amount: string;
};

type RawEvent = { txid: string; event_index: number; committed: boolean; type: string } & Record<string, unknown>;
type RawBody = {
  block_height: number;
  events: RawEvent[];
  transactions: { txid: string; status: string }[];
  matured_miner_rewards: Record<string, string>[];
};

const bodyOf = (block: BuiltBlock) => block.body as unknown as RawBody;

/** Every move of STX and tokens in some blocks, in the order of the messages; block 0 is shown in block 1. */
export function rawMoves(blocks: readonly BuiltBlock[]): RawMove[] {
  return blocks.flatMap(block => {
    const { block_height, events } = bodyOf(block);
    // Some releases number the events of a block, others those of each transaction.
    const indexOf = (event: RawEvent) =>
      events.filter(other => other.txid === event.txid && other.event_index < event.event_index).length;
    return events.flatMap(event => {
      const body = event[event.type] as Record<string, string> | undefined;
      if (!event.committed || !body || !/^(stx|ft|nft)_(transfer|mint|burn)_event$/.test(event.type)) return [];
      return [
        {
          height: Math.max(block_height, 1),
          tx_id: event.txid,
          event_index: indexOf(event),
          asset: body.asset_identifier ?? 'stx',
          value: body.raw_value ?? null,
          sender: body.sender ?? null,
          recipient: body.recipient ?? null,
          amount: body.amount ?? '1',
        },
      ];
    });
  });
}

/** What everybody has of a fungible token after some moves; nobody with nothing. */
export function rawBalances(moves: readonly RawMove[], asset: string): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const move of moves.filter(each => each.asset === asset)) {
    const add = (who: string | null, amount: bigint) => {
      if (who !== null) balances.set(who, (balances.get(who) ?? 0n) + amount);
    };
    add(move.sender, -BigInt(move.amount));
    add(move.recipient, BigInt(move.amount));
  }
  return new Map([...balances].filter(([, balance]) => balance > 0n));
}

/** Rewards that matured in some blocks, above zero. */
export const rawRewards = (blocks: readonly BuiltBlock[]) =>
  blocks.flatMap(block =>
    bodyOf(block)
      .matured_miner_rewards.map((reward, position) => {
        const fees = ['tx_fees_anchored', 'tx_fees_streamed_confirmed', 'tx_fees_streamed_produced']
          .map(key => BigInt(reward[key] ?? '0'))
          .reduce((sum, fee) => sum + fee, 0n);
        const coinbase = BigInt(reward.coinbase_amount ?? '0');
        return { height: block.height, position, recipient: reward.recipient!, coinbase, fees };
      })
      .filter(({ coinbase, fees }) => coinbase + fees > 0n),
  );
