import type { FastifyInstance } from 'fastify';
import type { TipSource } from '../cache/tip-cache.ts';
import type { Tip } from '../cache/tip-queries.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is read from the chain although it has no freshness class. */
    readsChain?: boolean;
  }
}

/** The header that names blocks of which something is unknown. */
const INCOMPLETE_HEADER = 'x-cairn-incomplete';

/**
 * Names the lowest incomplete blocks in the headers of every response that is read from the chain: totals, balances and lists
 * at or above such a height may lack what is unknown of it. The set changes only with the chain, as cached responses do.
 */
export function markIncomplete(app: FastifyInstance, tip: TipSource): void {
  app.addHook('onRoute', route => {
    const { freshness, readsChain } = route.config ?? {};
    const ofChain = freshness !== undefined && freshness !== 'none' && freshness !== 'immutable';
    if (!ofChain && !readsChain) return;
    route.preHandler = [
      (_request, reply, done) => {
        const heights = incompleteHeights(tip.current);
        if (heights !== undefined) reply.header(INCOMPLETE_HEADER, heights);
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
  });
}

/** Heights with commas between them, lowest first, `...` where there are more; undefined when every block is whole. */
function incompleteHeights(tip: Pick<Tip, 'incomplete'> | undefined): string | undefined {
  if (!tip || tip.incomplete.length === 0) return undefined;
  const shown = tip.incomplete.slice(0, maxShown);
  return [...shown, ...(tip.incomplete.length > maxShown ? ['...'] : [])].join(',');
}

const maxShown = 5;
