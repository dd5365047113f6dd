import type { StreamEvent } from '@cairn-stacks/client';
import type { CanonicalBlock } from './forking-chain.ts';

type Kept = { height: number; hash: string; transfers: string[]; more: boolean };

/** What one client of a stream has received, applied as the stream says it. It outlives the client, as a file would. */
export class FeedRecord {
  /** Where a client that begins again goes on. */
  position: string | undefined;
  readonly blocks: Kept[] = [];
  /** Events with a position that was received before. */
  repeated = 0;
  /** Events that do not fit to what was received before them. */
  outOfOrder = 0;
  readonly #positions = new Set<string>();

  receive(event: StreamEvent): void {
    if (this.#positions.has(event.position)) this.repeated++;
    this.#positions.add(event.position);
    this.position = event.position;
    if (event.type === 'mempool') return;
    if (event.type === 'rollback') {
      for (const hash of event.removed) {
        if (this.blocks.at(-1)?.hash === hash) this.blocks.pop();
        else this.outOfOrder++;
      }
      if (this.blocks.length > 0 && this.blocks.at(-1)!.height !== event.to.height) this.outOfOrder++;
      return;
    }
    const { block, transfers = [], more } = event;
    const ids = transfers.map(({ tx_id }) => tx_id);
    const top = this.blocks.at(-1);
    if (top?.more) {
      if (top.hash !== block.index_block_hash) this.outOfOrder++;
      top.transfers.push(...ids);
      top.more = more;
      return;
    }
    if (top && block.height !== top.height + 1) this.outOfOrder++;
    this.blocks.push({ height: block.height, hash: block.index_block_hash, transfers: ids, more });
  }

  get tip(): string | undefined {
    return this.blocks.at(-1)?.hash;
  }
}

/** Blocks and transfers of the chain that are not there, and those that are there too often or should not be. */
export function compareWith(
  canonical: readonly CanonicalBlock[],
  received: readonly Omit<CanonicalBlock, 'height'>[],
): { missed: number; extra: number } {
  const items = (blocks: readonly Omit<CanonicalBlock, 'height'>[]) =>
    blocks.flatMap(({ hash, transfers }) => [hash, ...transfers.map(id => `${hash} ${id}`)]);
  const counts = new Map<string, number>();
  for (const item of items(canonical)) counts.set(item, (counts.get(item) ?? 0) + 1);
  for (const item of items(received)) counts.set(item, (counts.get(item) ?? 0) - 1);
  const differences = [...counts.values()];
  return {
    missed: differences.reduce((sum, count) => sum + Math.max(count, 0), 0),
    extra: differences.reduce((sum, count) => sum + Math.max(-count, 0), 0),
  };
}
