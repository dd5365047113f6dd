import { UsageError } from '../../errors.ts';
import { type ApiClient, ApiFailure } from './api-client.ts';
import type { PinnedBlock } from './query.ts';
import { at } from './subject.ts';

/** The block to which all queries are pinned: some blocks below the common tip, and equal on both sides. */
export async function findPinnedBlock(here: ApiClient, there: ApiClient, depth: number): Promise<PinnedBlock> {
  const clients = [here, there];
  const tips = await Promise.all(clients.map(tipOf));
  const tip = Math.min(...tips);
  const height = tip - depth;
  if (height < 1) {
    throw new UsageError(
      `could not compare: the common tip is block ${tip}, and --depth ${depth} leaves nothing below it\nwait for more blocks, or give a smaller --depth`,
    );
  }
  const blocks = await Promise.all(clients.map(client => blockOf(client, height)));
  const [ours, theirs] = blocks.map(block => at(block, 'index_block_hash'));
  if (ours !== theirs) {
    throw new UsageError(
      `could not compare: block ${height} is ${ours} here and ${theirs} there\nthe two are on different chains or on different branches of a fork: check their networks, or give a larger --depth`,
    );
  }
  return {
    height,
    burnHeight: Number(at(blocks[0], 'burn_block_height')),
    tenureHeight: Number(at(blocks[0], 'tenure_height') ?? 0),
  };
}

async function tipOf(client: ApiClient): Promise<number> {
  const { status, body } = await client.get('/extended');
  const height = at(body, 'chain_tip', 'block_height');
  if (status !== 200) throw new ApiFailure(`${client.url}/extended: status ${status}`);
  if (typeof height !== 'number') throw new ApiFailure(`${client.url}/extended: has no block yet`);
  return height;
}

async function blockOf(client: ApiClient, height: number): Promise<unknown> {
  const { status, body } = await client.get(`/extended/v2/blocks/${height}`);
  if (status !== 200) throw new ApiFailure(`${client.url}/extended/v2/blocks/${height}: status ${status}`);
  return body;
}
