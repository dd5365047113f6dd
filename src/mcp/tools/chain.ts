import { Type } from 'typebox';
import { path } from '../api-reader.ts';
import { input, Limit } from '../params.ts';
import { untrustedTexts } from '../text.ts';
import { tool } from '../tool.ts';
import { stx, time } from '../units.ts';

type Status = {
  server_version: string;
  chain_tip: { block_height: number; block_hash: string; burn_block_height: number };
};
type Ingest = {
  lag_seconds: number;
  halted_at: unknown;
  nodes?: { best_height?: number; blocks_behind?: number } | null;
};
type Fees = Record<
  string,
  { no_priority: number; low_priority: number; medium_priority: number; high_priority: number }
>;

export const chainStatus = tool({
  name: 'chain_status',
  title: 'Where the chain is',
  description: 'The newest block, how current this index is, and how many transactions wait.',
  input: input({}),
  async run(_, api) {
    const [status, ingest, mempool] = await Promise.all([
      api.get<Status>('/extended'),
      api.get<Ingest>('/extended/v1/status/ingest'),
      api.get<{ count: number }>('/extended/v3/mempool'),
    ]);
    return {
      data: {
        block: status.chain_tip.block_height,
        block_hash: status.chain_tip.block_hash,
        bitcoin_block: status.chain_tip.burn_block_height,
        behind_seconds: ingest.lag_seconds,
        halted: ingest.halted_at !== null,
        pending_transactions: mempool.count,
        server: status.server_version,
      },
    };
  },
});

export const fees = tool({
  name: 'fees',
  title: 'What to offer as a fee',
  description:
    'Fees that pending transactions offer, by type, as low, medium and high; the total fee of a transaction.',
  input: input({}),
  async run(_, api) {
    const found = await api.get<Fees>('/extended/v2/mempool/fees');
    const rows = Object.entries(found).map(([type, { low_priority, medium_priority, high_priority }]) => [
      type,
      { low: stx(BigInt(low_priority)), medium: stx(BigInt(medium_priority)), high: stx(BigInt(high_priority)) },
    ]);
    return { data: Object.fromEntries(rows) };
  },
});

type Block = {
  height: number;
  hash: string;
  block_time: number;
  tx_count: number;
  burn_block_height: number;
  tenure_height: number;
  canonical: boolean;
  parent_block_hash: string;
};
type BlockTx = {
  tx_id: string;
  type: string;
  status: string;
  sender: { address: string };
  contract_call?: { contract_id: string; function_name: string };
};

export const block = tool({
  name: 'block',
  title: 'A block and its transactions',
  description: 'A block by height, hash or "latest", with its first transactions.',
  input: input({
    block: Type.String({
      pattern: '^(latest|\\d{1,10}|(0x)?[0-9a-fA-F]{64})$',
      description: 'A height, a hash, or latest.',
    }),
    limit: Limit,
  }),
  async run({ block: key, limit = 10 }, api) {
    const found = await api.get<Block>(path`/extended/v2/blocks/${key}`);
    const page = await api.get<{ total: number; results: BlockTx[] }>(
      path`/extended/v3/blocks/${found.hash}/transactions`,
      { limit },
    );
    return {
      data: {
        height: found.height,
        hash: found.hash,
        parent: found.parent_block_hash,
        time: time(found.block_time),
        bitcoin_block: found.burn_block_height,
        tenure: found.tenure_height,
        canonical: found.canonical,
        transactions: page.results.map(({ tx_id, type, status, sender, contract_call: call }) => ({
          tx_id,
          type,
          status,
          sender: sender.address,
          ...(call && { calls: `${call.contract_id} ${call.function_name}` }),
        })),
        ...(found.tx_count > page.results.length && { transactions_truncated_from: found.tx_count }),
      },
      next_steps: ['explain_transaction with a tx_id tells what it did'],
    };
  },
});

export const search = tool({
  name: 'search',
  title: 'Find what a text names',
  description:
    'Finds transactions, blocks, accounts, contracts, tokens and names by an id, a height, an address or a word. Use it when you do not know what an id is.',
  input: input({
    text: Type.String({ minLength: 1, maxLength: 200, description: 'An id, a height, a name or a word.' }),
  }),
  async run({ text }, api) {
    const { results } = await api.get<{ results: unknown[] }>('/extended/v3/search', { q: text });
    return { data: { results: untrustedTexts(results.slice(0, 10), 300) } };
  },
});
