import { expect, test } from 'vitest';
import { type ExportRow, type FilterMix, forkedBlocks, openFilterOracle } from '../../support/account-filters.ts';
import { addressOf, serveChainForFile } from '../../support/served-chain.ts';

const served = serveChainForFile(() => forkedBlocks({ seed: 7, length: 24 }));
const { get, ask } = served;
const accounts = [0, 1, 2].map(addressOf);

type Page = { total: number | null; cursor: { next: string | null; previous: string | null }; results: Result[] };
type Result = {
  event?: { tx_id: string; event_index: number };
  transaction?: { tx_id: string; event_index?: number };
};

async function exported(account: string, list: string): Promise<ExportRow[]> {
  const { body } = await served.app.inject(`/extended/v1/history/accounts/${account}/${list}?format=ndjson`);
  return body === ''
    ? []
    : body
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as ExportRow);
}

/** The rows of all pages of a filtered list. */
async function walk(url: string, mix: FilterMix, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...mix, limit: String(limit), ...(cursor !== '' && { cursor }) });
    const page: Page = await get(`${url}?${query}`);
    expect(page).toMatchObject({ total: null, cursor: { previous: null } });
    for (const { event, transaction } of page.results) {
      const { tx_id, event_index } = (event ?? transaction)!;
      found.push(`${tx_id} ${event_index ?? ''}`);
    }
    cursor = page.cursor.next;
  }
  return found;
}

const ranged = ['from_height', 'to_height', 'from_time', 'to_time', 'sender', 'recipient', 'function'];

test('each mix of filters selects what a look at every row selects, on pages of any size', async () => {
  for (const account of [...accounts, `${accounts[0]}.token`]) {
    const transfers = await exported(account, 'transfers');
    const fts = [
      ...new Set(transfers.filter(row => /^ft_/.test(String(row.event_type))).map(row => String(row.asset))),
    ];
    const lists: [path: string, list: string, rows: ExportRow[], names?: string[]][] = [
      ['transactions', 'transactions', await exported(account, 'transactions')],
      ['events', 'events', await exported(account, 'events')],
      ...(['inbound', 'outbound'] as const).map((direction): (typeof lists)[number] => [
        `transfers/stx/${direction}`,
        'transfers',
        transfers.filter(
          row =>
            row.asset === 'STX' && (row.direction === 'self' || (row.direction === 'in') === (direction === 'inbound')),
        ),
        [...ranged, 'min_amount'],
      ]),
      ...fts
        .slice(0, 2)
        .map((asset): (typeof lists)[number] => [
          `transfers/ft/${encodeURIComponent(asset)}`,
          'transfers',
          transfers.filter(row => row.asset === asset),
          [...ranged, 'min_amount'],
        ]),
    ];
    for (const [path, list, rows, names] of lists) {
      if (rows.length === 0) continue;
      const { mixes, select } = await openFilterOracle(get, list, rows, names);
      for (const [i, mix] of mixes(20).entries()) {
        // Without a filter a list has a total and the way back, except that of events.
        if (Object.keys(mix).length === 0) mix.from_height = '0';
        const wanted = select(mix)
          .map(row => `${row.tx_id} ${row.event_index ?? ''}`)
          .reverse();
        const found = await walk(`/extended/v3/principals/${account}/${path}`, mix, [1, 3, 20][i % 3]!);
        expect([account, path, mix, found]).toEqual([account, path, mix, wanted]);
      }
    }
  }
});

test('an event has its block, and its cursor leads to it', async () => {
  const url = `/extended/v3/principals/${accounts[0]}/events`;
  const { results, cursor } = await get(`${url}?limit=3&event_type=stx_transfer`);
  for (const { event, block } of results) {
    const { block_height, block_hash } = await get(`/extended/v1/tx/${event.tx_id}`);
    expect(block).toMatchObject({ height: block_height, hash: block_hash });
  }
  const again = await get(`${url}?limit=3&event_type=stx_transfer&cursor=${cursor.current}`);
  expect(again.results).toEqual(results);
});

test('lists without a filter are as before', async () => {
  const { total, cursor } = await get(`/extended/v3/principals/${accounts[0]}/transactions?limit=1`);
  expect([typeof total, cursor.previous]).toEqual(['number', null]);
});

test.for([
  ['transactions?asset=STX', /^asset cannot filter this list; any mix of these can: .*status$/],
  ['transactions?min_amount=5', /^min_amount cannot filter this list/],
  ['events?status=success', /^status cannot filter this list/],
  ['transfers/stx/inbound?asset=STX', /^asset cannot filter this list; any mix of these can: .*min_amount$/],
  ['transactions?from_time=9&to_time=8', /^from_time 9 is above to_time 8/],
  ['events?min_amount=x', /^querystring\/min_amount must match pattern/],
  ['transactions?contract=x', /^contract "x" is not an account or a contract$/],
  ['events?cursor=1:1:99999:1', /^querystring\/cursor: Cursor value out of range$/],
] as const)('%s is refused', async ([path, message]) => {
  const { status, body } = await ask(`/extended/v3/principals/${accounts[0]}/${path}`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});
