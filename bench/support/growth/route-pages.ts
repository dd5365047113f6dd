import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import type { Pool } from '../../../src/db/client.ts';
import { pagesRead } from '../bench-database.ts';
import { median } from '../figures.ts';
import { type ReadRoute, readRoutes, takes, variantsOf } from '../list-routes.ts';
import { drawSamples, type Sample } from '../samples.ts';

/** What a request reads: the median over several samples. */
export type RouteReads = { pages: number; ms: number; rows: number; url: string };

/** Requests that are counted, each about another sample. */
const counted = 4;
/** The accounts that send most, so that a page is full on a short chain too. */
const busiest = 12;
const pageRows = '10';

/**
 * Pages of the database that each GET looks at, by route and filter. The service that is asked must keep no responses and no
 * rendered items, and do nothing else.
 */
export async function readAllRoutes(sql: Pool, port: number): Promise<Map<string, RouteReads>> {
  const document = (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as OpenApi;
  const samples = await drawBusySamples(sql);
  const reads = new Map<string, RouteReads>();
  // A stream has no end.
  const routes = readRoutes(document).filter(
    ({ operation }) => operation.responses['200']?.content?.['application/json'],
  );
  for (const route of routes) {
    for (const [name, urls] of urlsOf(route, samples)) {
      const result = await readUrls(sql, port, urls);
      if (result) reads.set(name, result);
    }
  }
  return reads;
}

async function drawBusySamples(sql: Pool): Promise<Sample[]> {
  const accounts = await sql<{ principal: number }[]>`
    select p.principal
    from principal_transactions p
    join principals n on n.id = p.principal
    where length(n.name) = 21 and p.height > 1
    group by 1
    order by max(p.seq) desc, 1
    limit ${busiest}
  `;
  const ids = accounts.map(({ principal }) => principal);
  return await drawSamples(sql, counted + 1, ids);
}

/** URLs about each sample, by route and filter. */
function urlsOf(route: ReadRoute, samples: readonly Sample[]): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const sample of samples) {
    for (const url of variantsOf(route, sample)) {
      const [, query] = url.split('?');
      const filters = [...new URLSearchParams(query)].map(([name, value]) =>
        value.length > 16 ? name : `${name}=${value}`,
      );
      // Filters by number or text of the sample are one variant.
      const name = [route.path, ...filters.map(filter => filter.replace(/=\d+$/, ''))].join(' ');
      const paged = takes(route, 'limit') ? `${url}${query === undefined ? '?' : '&'}limit=${pageRows}` : url;
      named.set(name, [...(named.get(name) ?? []), paged]);
    }
  }
  return named;
}

/** The first request is not counted: it prepares the statements. Undefined where any is not answered with 200. */
async function readUrls(sql: Pool, port: number, urls: readonly string[]): Promise<RouteReads | undefined> {
  const results: { pages: number; ms: number; rows: number }[] = [];
  for (const url of urls) {
    const before = await pagesRead(sql);
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${url}`);
    const text = await response.text();
    const ms = performance.now() - started;
    if (response.status !== 200) return undefined;
    results.push({ pages: (await pagesRead(sql)) - before, ms, rows: rowsOf(text) });
  }
  const rest = results.slice(1);
  if (rest.length === 0) return undefined;
  const middle = (value: (result: (typeof rest)[number]) => number) => median(rest.map(value));
  return { pages: middle(r => r.pages), ms: middle(r => r.ms), rows: middle(r => r.rows), url: urls.at(-1)! };
}

function rowsOf(text: string): number {
  if (!text.startsWith('{')) return 1;
  const { results } = JSON.parse(text) as { results?: unknown };
  return Array.isArray(results) ? results.length : 1;
}
