import type { Tip } from '../cache/tip-queries.ts';
import type { Visit } from './visit.ts';

/** The header that names blocks of which something is unknown. */
const INCOMPLETE_HEADER = 'x-cairn-incomplete';

/**
 * Names the lowest incomplete blocks in the headers of every response that is read from the chain: totals, balances and lists
 * at or above such a height may lack what is unknown of it. The set changes only with the chain, as cached responses do.
 */
export function nameIncomplete({ route, reply, service }: Visit): void {
  if (!route.ofChain) return;
  const heights = incompleteHeights(service.tip.current);
  if (heights !== undefined) reply.header(INCOMPLETE_HEADER, heights);
}

/** Heights with commas between them, lowest first, `...` where there are more; undefined when every block is whole. */
function incompleteHeights(tip: Pick<Tip, 'incomplete'> | undefined): string | undefined {
  if (!tip || tip.incomplete.length === 0) return undefined;
  const shown = tip.incomplete.slice(0, maxShown);
  return [...shown, ...(tip.incomplete.length > maxShown ? ['...'] : [])].join(',');
}

const maxShown = 5;
