import type { PageModule } from './page.ts';
import { matchPath } from './path.ts';

type Load = () => Promise<PageModule>;

/** The pages, each loaded when it is first opened. `*` is the parameter. */
const routes: readonly [pattern: string, load: Load][] = [
  ['/', () => import('./pages/home.tsx')],
  ['/account/*', () => import('./pages/account.tsx')],
  ['/block/*', () => import('./pages/block.tsx')],
  ['/blocks', () => import('./pages/blocks.tsx')],
  ['/burn-block/*', () => import('./pages/burn-block.tsx')],
  ['/collections', () => import('./pages/collections.tsx')],
  ['/contract/*', () => import('./pages/contract.tsx')],
  ['/contracts', () => import('./pages/contracts.tsx')],
  ['/mempool', () => import('./pages/mempool.tsx')],
  ['/name/*', () => import('./pages/name.tsx')],
  ['/names', () => import('./pages/names.tsx')],
  ['/sbtc', () => import('./pages/sbtc.tsx')],
  ['/search', () => import('./pages/search.tsx')],
  ['/signer/*', () => import('./pages/signer.tsx')],
  ['/stacking', () => import('./pages/stacking.tsx')],
  ['/status', () => import('./pages/status.tsx')],
  ['/tenure/*', () => import('./pages/tenure.tsx')],
  ['/token/*', () => import('./pages/token.tsx')],
  ['/tokens', () => import('./pages/tokens.tsx')],
  ['/transactions', () => import('./pages/transactions.tsx')],
  ['/tx/*', () => import('./pages/tx.tsx')],
];

export type Match = { pattern: string; load: Load; parameter: string };

/** The page of a path; undefined if there is none. */
export function matchRoute(path: string): Match | undefined {
  for (const [pattern, load] of routes) {
    const parameter = matchPath(pattern, path);
    if (parameter !== undefined) return { pattern, load, parameter };
  }
  return undefined;
}
