import { expect, test } from 'vitest';
import { type ExportRow, type FilterMix, forkedBlocks, openFilterOracle } from '../support/account-filters.ts';
import { addressOf, serveChainForFile } from '../support/served-chain.ts';

const served = serveChainForFile(() => forkedBlocks({ seed: 11, length: 16, items: true }));
const { get, ask } = served;
const accounts = [0, 1].map(addressOf);

// biome-ignore lint/suspicious/noExplicitAny: a result of any shape
type Json = any;

/** A transaction of a list as a line of an export. */
const transactionRow = (tx: Json): ExportRow => ({
  tx_id: tx.tx_id,
  block_height: tx.block_height,
  tx_status: tx.tx_status,
  sender_address: tx.sender_address,
  recipient_address: tx.token_transfer?.recipient_address ?? null,
  contract_id: tx.contract_call?.contract_id ?? tx.smart_contract?.contract_id ?? null,
  function_name: tx.contract_call?.function_name ?? null,
});

/** Every result of a list by offset, the newest first. */
async function all(url: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let total = 1; found.length < total; ) {
    const page = await get(`${url}${url.includes('?') ? '&' : '?'}limit=50&offset=${found.length}`);
    total = page.total;
    found.push(...page.results);
  }
  return found;
}

/** Where lists by offset go on; a walk of one begins with an empty cursor. */
const nextCursor = (page: Json): string | null => page.next_cursor;

/** The rows of all pages of a filtered list; `next` is where its cursor is. */
async function walk(url: string, mix: FilterMix, limit: number, next: (page: Json) => string | null): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      ...mix,
      limit: String(limit),
      ...((cursor !== '' || next === nextCursor) && { cursor }),
    });
    const page: Json = await get(`${url}${url.includes('?') ? '&' : '?'}${query}`);
    if ('total' in page) expect(page.total).toBe(null);
    found.push(...(page.results ?? page.events));
    cursor = next(page);
  }
  return found;
}

const ofTransaction = (result: Json): string => (result.tx ?? result).tx_id;
const ofEvent = ({ tx_id, event_index }: Json): string => `${tx_id} ${event_index}`;

type List = {
  url: string;
  kind: 'transactions' | 'events' | 'transfers';
  /** Newest first. */
  rows: ExportRow[];
  names?: string[];
  keyOf?: (result: Json) => string;
  next?: (page: Json) => string | null;
};

async function holds({
  url,
  kind,
  rows,
  names,
  keyOf = kind === 'events' ? ofEvent : ofTransaction,
  next = nextCursor,
}: List) {
  expect([url, rows.length > 0]).toEqual([url, true]);
  const { mixes, select } = await openFilterOracle(get, kind, rows, names);
  let selected = 0;
  for (const [i, mix] of mixes(12).entries()) {
    if (Object.keys(mix).length === 0)
      Object.assign(mix, url.includes('/blocks/') ? { status: 'success' } : { from_height: '0' });
    const wanted = select(mix).map(keyOf);
    const found = (await walk(url, mix, [2, 7, 50][i % 3]!, next)).map(keyOf);
    expect([url, mix, found]).toEqual([url, mix, wanted]);
    selected += wanted.length;
  }
  expect(selected).toBeGreaterThan(0);
}

test('each mix of filters selects what a look at every transaction of the chain selects', async () => {
  const rows = (await all('/extended/v1/tx')).map(transactionRow);
  await holds({ url: '/extended/v1/tx', kind: 'transactions', rows });
  await holds({ url: '/extended/v3/transactions', kind: 'transactions', rows, next: page => page.cursor.next });
});

test('so it is with the transactions and events of an account', async () => {
  for (const account of accounts) {
    const url = `/extended/v2/addresses/${account}/transactions`;
    const rows = (await all(url)).map(({ tx }) => transactionRow(tx));
    await holds({ url, kind: 'transactions', rows, next: page => page.prev_cursor });
    const { body } = await served.app.inject(`/extended/v1/history/accounts/${account}/events?format=ndjson`);
    const lines = body.trimEnd().split('\n');
    const events = lines.map(line => JSON.parse(line) as ExportRow).reverse();
    await holds({ url: `/extended/v1/tx/events?address=${account}`, kind: 'events', rows: events });
    // Of the transaction with most of them.
    const ids = events.map(row => row.tx_id);
    const tx = ids.toSorted((x, y) => ids.filter(id => id === y).length - ids.filter(id => id === x).length)[0];
    const shown: Json[] = (await get(`/extended/v1/tx/events?tx_id=${tx}&limit=100`)).events;
    const sideOf = ({ asset, stx_lock_event }: Json) => asset?.sender ?? stx_lock_event?.locked_address ?? '';
    for (const sender of new Set(shown.map(sideOf).filter(side => side !== ''))) {
      const url = `/extended/v1/tx/events?tx_id=${tx}`;
      const wanted = shown.filter(event => sideOf(event) === sender).map(ofEvent);
      expect((await walk(url, { sender }, 1, nextCursor)).map(ofEvent)).toEqual(wanted);
    }
  }
});

const ranged = ['from_height', 'to_height', 'from_time', 'to_time', 'sender', 'recipient', 'function'];

test('and with the older lists of an account', async () => {
  for (const account of accounts) {
    const url = `/extended/v1/address/${account}`;
    const rows = (await all(`${url}/transactions`)).map(transactionRow);
    await holds({ url: `${url}/transactions`, kind: 'transactions', rows });
    const inbound = (await all(`${url}/stx_inbound`)).map(row => ({
      ...{ tx_id: row.tx_id, block_height: row.block_height, event_type: 'stx_transfer', asset: 'STX' },
      ...{ sender_address: row.sender, recipient_address: account, amount: row.amount },
    }));
    if (inbound.length === 0) continue;
    const names = [...ranged, 'min_amount'];
    await holds({ url: `${url}/stx_inbound`, kind: 'transfers', rows: inbound, names });
  }
});

test('and with the prints of a contract and the transactions of a block', async () => {
  const transactions = new Map((await all('/extended/v1/tx')).map(tx => [tx.tx_id, transactionRow(tx)]));
  const contract = `/extended/v1/contract/${accounts[0]}.token/events`;
  const prints: Json[] = [];
  for (let offset = 0; offset === prints.length; offset += 50) {
    prints.push(...(await get(`${contract}?limit=50&offset=${offset}`)).results);
  }
  const rows = prints.map(({ tx_id, event_index }) => ({ ...transactions.get(tx_id)!, event_index }));
  const names = ['from_height', 'to_height', 'from_time', 'to_time', 'sender', 'function'];
  await holds({ url: contract, kind: 'transactions', rows, names, keyOf: ofEvent });
  const tip = (await get('/extended')).chain_tip.block_height;
  for (const height of [tip, tip - 6]) {
    const url = `/extended/v2/blocks/${height}/transactions`;
    const ofBlock = (await get(`${url}?limit=50`)).results.map(transactionRow);
    await holds({
      url,
      kind: 'transactions',
      rows: ofBlock,
      names: ['sender', 'recipient', 'contract', 'function', 'status'],
    });
  }
});

test('and with the moves of tokens', async () => {
  const heights = new Map((await all('/extended/v1/tx')).map(tx => [tx.tx_id, tx.block_height]));
  const moved: ExportRow[] = [];
  for (const account of [0, 1, 2, 3].map(addressOf)) {
    const { body } = await served.app.inject(`/extended/v1/history/accounts/${account}/transfers?format=ndjson`);
    moved.push(
      ...body
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as ExportRow),
    );
  }
  const assetOf = (kind: string) => moved.find(row => String(row.event_type).startsWith(`${kind}_`))?.asset;
  const moveRow =
    (kind: string) =>
    (row: Json): ExportRow => ({
      ...{ tx_id: row.tx_id, event_index: row.event_index, block_height: heights.get(row.tx_id)! },
      ...{ sender_address: row.sender ?? null, recipient_address: row.recipient ?? null, amount: row.amount ?? null },
      event_type: `${kind}_${row.type ?? row.asset_event_type ?? 'mint'}`,
    });
  for (const kind of ['ft', 'nft']) {
    const url = `/extended/v1/tokens/${kind}/${encodeURIComponent(String(assetOf(kind)))}/transfers`;
    const { results, cursor } = await get(`${url}?limit=200`);
    expect(cursor.next).toBe(null);
    const names = [...ranged, 'event_type', ...(kind === 'ft' ? ['min_amount'] : [])];
    const rows = results.map(moveRow(kind));
    await holds({ url, kind: 'events', rows, names, next: page => page.cursor.next });
  }
  const query = `asset_identifier=${encodeURIComponent(String(assetOf('nft')))}`;
  const mints = `/extended/v1/tokens/nft/mints?${query}`;
  const minted = await all(mints);
  const names = ranged.filter(name => name !== 'sender');
  await holds({ url: mints, kind: 'events', rows: minted.map(moveRow('nft')), names });
  const histories = await Promise.all(
    minted.map(async ({ value }) => {
      const url = `/extended/v1/tokens/nft/history?${query}&value=${value.hex}`;
      return { url, rows: (await all(url)).map(moveRow('nft')) };
    }),
  );
  const longest = histories.toSorted((a, b) => b.rows.length - a.rows.length)[0]!;
  await holds({ ...longest, kind: 'events', names: [...ranged, 'event_type'] });
});

test('a recorded parameter means the same as the filter, and both may be given if they agree', async () => {
  const [sender] = accounts;
  const ids = async (query: string) => (await get(`/extended/v1/tx?limit=50&${query}`)).results.map(ofTransaction);
  const recorded = await ids(`from_address=${sender}`);
  expect(recorded.length).toBeGreaterThan(0);
  expect(await ids(`sender=${sender}`)).toEqual(recorded);
  expect(await ids(`sender=${sender}&from_address=${sender}`)).toEqual(recorded);
  expect(await ids(`from_address=${sender}&cursor=`)).toEqual(recorded);
});

const [one, two] = accounts;

test.for([
  [`tx?sender=${one}&from_address=${two}`, /^sender and from_address mean the same here and differ/],
  [`tx?to_time=9&end_time=8`, /^to_time and end_time mean the same here and differ/],
  [`tx?function=a&function_name=b`, /^function and function_name mean the same here and differ/],
  [`tx?from_height=5&to_height=4`, /^from_height 5 is above to_height 4/],
  [`tx?recipient=${one}&function=a`, /^recipient selects token transfers, function those of contracts/],
  [`tx/events?address=${one}&asset=STX&contract=${one}.token`, /^asset STX is of no contract/],
  [`tx/events?address=${one}&asset=${one}.token::a&contract=${one}.other`, /^asset ".*" is not of contract/],
  [
    `tx/events?address=${one}&asset=STX&event_type=ft_mint,nft_mint`,
    /^event_type ft_mint,nft_mint moves no asset "STX"/,
  ],
  [`tx/events?address=${one}&min_amount=1&event_type=nft_mint`, /^event_type nft_mint has no amount/],
  [`tx/events?address=${one}&asset=${one}.token::unknown`, /^asset ".*::unknown" is unknown/],
  [`tx?asset=STX`, /^asset cannot filter this list; any mix of these can: .*status$/],
  [`tx?sender=${one}&offset=5`, /^offset cannot be combined with filters or cursor/],
  [`tx?sender=${one}&sort_by=fee`, /^sort_by=fee cannot be combined with filters or cursor/],
  [`tx?cursor=&order=asc`, /^order=asc cannot be combined with filters or cursor/],
  [`tx?cursor=&offset=5`, /^offset cannot be combined with cursor/],
  [`tx?cursor=&unanchored=true`, /^unanchored cannot be combined with cursor/],
  [`tx?status=pending&sender=${one}`, /^"sender" cannot be combined with "status=pending"$/],
  [`tx?cursor=5`, /^querystring\/cursor must match pattern/],
  [`tx/events?address=${one}&status=success`, /^status cannot filter this list/],
  [`tx/events?address=${one}&asset=x`, /^querystring\/asset must/],
  [`contract/${one}.token/events?contract=${one}.token`, /^contract cannot filter this list/],
  [`contract/${one}.token/events?sender=x`, /^sender "x" is not an account/],
  [`address/${one}/transactions?sender=${one}&height=3`, /^height cannot be combined with filters/],
  [`address/${one}/stx_inbound?event_type=stx_mint`, /^event_type cannot filter this list/],
  [`tokens/ft/${one}.token::x/transfers?event_type=stx_mint`, /^querystring\/event_type\/0 must be/],
  [`tokens/ft/x/transfers?sender=${one}`, /token/],
  [`tokens/nft/mints?asset_identifier=x&recipient=${one}`, /asset_identifier/],
  [`tokens/nft/mints?asset_identifier=${one}.token::x&sender=${one}`, /^sender cannot filter this list/],
  [`tx/events?address=${one}&type=stx_lock&event_type=stx_lock`, /^type and event_type both select kinds/],
] as const)('%s is refused', async ([path, message]) => {
  const { status, body } = await ask(`/extended/v1/${path}`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

test('a cursor of another list, or one that was altered, is refused', async () => {
  const { next_cursor: cursor } = await get(`/extended/v1/tx?sender=${one}&limit=1`);
  expect(cursor).toMatch(/^\d+\./);
  const message = expect.stringMatching(/^querystring\/cursor is not a cursor of this list/);
  const altered = cursor.replace(/\d+$/, (part: string) => `${Number(part) + 1}`);
  for (const url of [
    `/extended/v1/tx?sender=${two}&cursor=${cursor}`,
    `/extended/v1/tx?sender=${one}&cursor=${altered}`,
  ]) {
    expect(await ask(url)).toMatchObject({ status: 400, body: { message } });
  }
});
