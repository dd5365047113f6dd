import type { Pool } from '../db/client.ts';
import type { Needs, Step } from '../stream/feed.ts';
import type { Batch } from '../webhooks/batch.ts';
import type { Payload } from '../webhooks/payload.ts';
import { listSentAbove } from '../webhooks/sent-blocks-queries.ts';
import type { HookBlock, HookBlocks, HookTransaction } from './block.ts';

/** How a kind of chainhook chooses transactions and shows them. */
export type BlockPayload = {
  id: number;
  /** What leads to the few blocks of a long history. */
  scope: Needs['scope'];
  /** False for blocks of which it wants nothing, whatever they hold. */
  wantsHeight?(height: number): boolean;
  matches(transaction: HookTransaction, height: number): boolean;
  renderBlock(block: HookBlock, chosen: HookTransaction[]): string;
  /** The body around the texts of blocks, the newest removed one first. */
  bodyOf(apply: string, rollback: string, heights: Batch['heights']): string;
};

/** The value of the header `authorization`; nothing if the text is empty. */
const authorization = (secret: string): Record<string, string> => (secret === '' ? {} : { authorization: secret });

/** A payload that holds blocks with the transactions that match, and removed blocks as they were sent. */
export function openBlockPayload(sql: Pool, blocks: HookBlocks, kind: BlockPayload): Payload {
  const textOf = async ({ kind: is, position }: Step): Promise<string | undefined> => {
    const { height, indexHash, seq } = position;
    if (is !== 'apply' || kind.wantsHeight?.(height) === false) return undefined;
    // A block that a fork has removed meanwhile was never sent: there is nothing to take back.
    const block = await blocks.find(height, indexHash, seq);
    const chosen = block?.transactions.filter(each => kind.matches(each, height)) ?? [];
    return chosen.length === 0 ? undefined : kind.renderBlock(block!, chosen);
  };
  return {
    needs: { transactions: false, events: false, mempool: false, sbtc: false, scope: kind.scope },
    principal: undefined,
    sendsBlocks: true,
    namesRemoved: true,
    async render(steps) {
      const applied = steps.flatMap(step => (step.kind === 'apply' ? [step.position.indexHash] : []));
      const texts: (string | undefined)[] = [];
      for (const step of steps) {
        if (step.kind !== 'rollback') texts.push(await textOf(step));
        else texts.push((await listSentAbove(sql, kind.id, step.position.height, applied)).join(',') || undefined);
      }
      return texts;
    },
    bodyOf({ parts, heights }) {
      const texts = (wanted: Step['kind']) => parts.flatMap(({ step, text }) => (step.kind === wanted ? [text] : []));
      return kind.bodyOf(texts('apply').join(','), texts('rollback').join(','), heights);
    },
    testBodyOf: () => kind.bodyOf('', '', undefined),
    headersOf: (secret, id) => ({ 'webhook-id': id, ...authorization(secret) }),
  };
}
