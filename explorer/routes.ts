import type { ComponentType } from 'preact';

export type PageProps = { parameter: string };
export type PageModule = { Page: ComponentType<PageProps> };
type Load = () => Promise<PageModule>;

/** The pages, each loaded when it is first opened. `*` is the parameter. */
const routes: readonly [pattern: string, load: Load][] = [
  ['/', () => import('./pages/home.tsx')],
  ['/account/*', () => import('./pages/account.tsx')],
  ['/block/*', () => import('./pages/block.tsx')],
  ['/blocks', () => import('./pages/blocks.tsx')],
  ['/burn-block/*', () => import('./pages/burn-block.tsx')],
  ['/contract/*', () => import('./pages/contract.tsx')],
  ['/mempool', () => import('./pages/mempool.tsx')],
  ['/name/*', () => import('./pages/name.tsx')],
  ['/names', () => import('./pages/names.tsx')],
  ['/search', () => import('./pages/search.tsx')],
  ['/stacking', () => import('./pages/stacking.tsx')],
  ['/status', () => import('./pages/status.tsx')],
  ['/tenure/*', () => import('./pages/tenure.tsx')],
  ['/token/*', () => import('./pages/token.tsx')],
  ['/transactions', () => import('./pages/transactions.tsx')],
  ['/tx/*', () => import('./pages/tx.tsx')],
];

export type Match = { pattern: string; load: Load; parameter: string };

/** The page of a path; undefined if there is none. */
export function matchRoute(path: string): Match | undefined {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  for (const [pattern, load] of routes) {
    if (!pattern.endsWith('*')) {
      if (trimmed === pattern) return { pattern, load, parameter: '' };
      continue;
    }
    const prefix = pattern.slice(0, -1);
    const rest = trimmed.slice(prefix.length);
    if (trimmed.startsWith(prefix) && rest !== '' && !rest.includes('/')) {
      const parameter = decode(rest);
      return parameter === undefined ? undefined : { pattern, load, parameter };
    }
  }
  return undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
