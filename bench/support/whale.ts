import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../src/db/client.ts';
import { median, say } from './figures.ts';
import { loadHttp } from './http-load.ts';
import { type ReadRoute, takes, urlOf } from './list-routes.ts';
import { drawSamples, type Sample } from './samples.ts';

/** An account by its key, with its known facts. */
export type Account = { id: number; address: string; transactions: number; sample: Sample };

/** The busiest account, and ordinary ones whose history still fills a page, so that both responses have as many rows. */
export async function findAccounts(sql: Sql): Promise<{ whale: Account; ordinary: Account[] }> {
  const busiest = await sql<{ id: number; name: Buffer; transactions: number }[]>`
    select p.principal as id, n.name, max(p.seq)::int as transactions
    from principal_transactions p
    join principals n on n.id = p.principal
    where length(n.name) = 21
    group by 1, 2
    having max(p.seq) > 60
    order by 3 desc
  `;
  const accounts = await Promise.all(
    [busiest[0]!, ...busiest.filter(a => a.transactions < 200).slice(0, 20)].map(async ({ id, name, transactions }) => {
      const [sample] = await drawSamples(sql, 1, [id]);
      return { id, address: principalFromBytes(name), transactions, sample: sample! };
    }),
  );
  const [whale, ...ordinary] = accounts;
  return { whale: whale!, ordinary };
}

/** A request about any account. */
type Question = { name: string; url(account: Account): Promise<string | undefined> };

const rounds = 60;

/** The ratio of response times of the whale and an ordinary account, by request; medians of alternating requests. */
export async function compareWhale(
  port: number,
  routes: readonly ReadRoute[],
  balances: readonly string[],
  accounts: { whale: Account; ordinary: Account[] },
): Promise<Map<string, number>> {
  const pages: Question[] = [];
  for (const route of routes) pages.push(...pagesOf(port, route, await fewestRows(port, route, accounts)));
  const questions = [...pages, ...balances.map(oldBalance)];
  const ratios = new Map<string, number>();
  for (const question of questions) {
    const whale = await question.url(accounts.whale);
    const ordinary = (await Promise.all(accounts.ordinary.map(question.url))).filter(url => url !== undefined);
    if (whale === undefined || ordinary.length === 0) continue;
    const times = { whale: [] as number[], ordinary: [] as number[] };
    for (let i = -10; i < rounds; i++) {
      const [a] = (await loadHttp({ port, paths: [whale], concurrency: 1, count: 1 })).latencies;
      const other = ordinary[(i + 10) % ordinary.length]!;
      const [b] = (await loadHttp({ port, paths: [other], concurrency: 1, count: 1 })).latencies;
      if (a === undefined || b === undefined) break;
      if (i < 0) continue; // the first ones warm up
      times.whale.push(a);
      times.ordinary.push(b);
    }
    if (times.whale.length < rounds) {
      say(`whale: not answered 200: ${whale}`);
      continue;
    }
    const ratio = median(times.whale) / median(times.ordinary);
    ratios.set(question.name, ratio);
    say(`whale: ${ratio.toFixed(2)} × (${median(times.whale).toFixed(2)} ms) ${question.name}`);
  }
  return ratios;
}

/** Rows that the first page of each account has at least, or one, so that none is compared by a longer page. */
async function fewestRows(
  port: number,
  route: ReadRoute,
  { whale, ordinary }: { whale: Account; ordinary: Account[] },
) {
  let fewest = Number.POSITIVE_INFINITY;
  for (const { sample } of [whale, ...ordinary]) {
    const built = urlOf(route, sample);
    const page = 'url' in built ? await pageAt(port, built.url) : undefined;
    fewest = Math.min(fewest, Math.max(1, page?.results?.length ?? 0));
  }
  return takes(route, 'limit') ? fewest : undefined;
}

/** First page and deepest page of this many rows, by offset and by cursor if the route has them. */
function pagesOf(port: number, route: ReadRoute, limit: number | undefined): Question[] {
  const rows = limit === undefined ? {} : { limit: String(limit) };
  const url = (account: Account, query: Record<string, string> = {}) => {
    const built = urlOf(route, account.sample, { ...rows, ...query });
    return 'url' in built ? built.url : undefined;
  };
  const questions: Question[] = [{ name: `${route.path} first page`, url: async account => url(account) }];
  if (takes(route, 'offset')) {
    questions.push({
      name: `${route.path} deepest offset`,
      async url(account) {
        const first = url(account);
        const page = first && (await pageAt(port, first));
        if (!page || page.total === undefined) return undefined;
        return url(account, { offset: String(Math.max(0, page.total - page.limit)) });
      },
    });
  }
  if (takes(route, 'cursor')) {
    questions.push({
      name: `${route.path} deepest cursor`,
      url: account => deepest(port, query => url(account, query)),
    });
  }
  return questions;
}

const oldBalance = (path: string): Question => ({
  name: `${path} at an old height`,
  url: async account => `${path.replace('{principal}', account.address)}?until_block=300`,
});

/** Follows the cursor from page to page to the last one. */
async function deepest(port: number, url: (query: Record<string, string>) => string | undefined) {
  let at = url({});
  const first = at && (await pageAt(port, at));
  if (!first) return undefined;
  // The second version calls the older page the previous one, the third calls it the next.
  const direction = first.prev_cursor ? 'prev_cursor' : 'next_cursor';
  const following = (page: Page | undefined) =>
    (page && typeof page.cursor === 'object' ? page.cursor?.next : page?.[direction]) ?? undefined;
  let cursor = following(first);
  for (let i = 0; cursor !== undefined && i < 2000; i++) {
    at = url({ cursor });
    cursor = following(await pageAt(port, at!));
  }
  return at;
}

type Page = {
  total?: number;
  limit: number;
  results?: unknown[];
  cursor?: string | { next: string | null } | null;
  next_cursor?: string | null;
  prev_cursor?: string | null;
};

async function pageAt(port: number, path: string): Promise<Page | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.ok ? ((await response.json()) as Page) : undefined;
}
