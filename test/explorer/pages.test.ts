import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { useExplorer } from './support/explorer.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });

type Ids = Record<
  'transfer' | 'call' | 'block' | 'account' | 'contract' | 'token' | 'collection' | 'name' | 'pending',
  string
>;
let ids: Ids;
beforeAll(async () => {
  await explorer.height(1);
  await explorer.devnet('mine?count=30');
  await explorer.height(31);
  ids = await until(findIds, 60_000);
}, 120_000);

/** Something of each kind that the residents of the devnet have made. */
async function findIds(): Promise<Ids | undefined> {
  const { results } = await explorer.get('/extended/v3/transactions?limit=50');
  const [name] = await explorer.get('/v1/names');
  const { results: waiting } = await explorer.get('/extended/v3/mempool/transactions?limit=1');
  type Summary = { type: string; tx_id: string; contract_call?: { contract_id: string; function_name: string } };
  const calls = (results as Summary[]).filter(tx => tx.type === 'contract_call');
  const transfer = (results as Summary[]).find(tx => tx.type === 'token_transfer')?.tx_id;
  const swap = calls.find(tx => tx.contract_call?.function_name.startsWith('swap'));
  const stone = calls.find(tx => tx.contract_call?.contract_id.endsWith('.stone'))?.contract_call?.contract_id;
  // Signers respond from the first reward set on.
  const { results: blocks } = await explorer.get('/signer-metrics/v1/blocks?limit=10');
  const signed = (blocks as { block_height: number; signer_data: object | null }[]).find(block => block.signer_data);
  if (!transfer || !swap || !stone || !name || !waiting[0] || !signed) return undefined;
  const deployer = stone.split('.')[0]!;
  return {
    transfer,
    call: swap.tx_id,
    block: String(signed.block_height),
    account: results[0].sender.address,
    contract: `${deployer}.pool`,
    token: encodeURIComponent(`${stone}::stone`),
    collection: encodeURIComponent(`${deployer}.marbles::marble`),
    name,
    pending: waiting[0].tx_id,
  };
}

const pages: Record<string, { path: () => string; heading: RegExp; shows: string }> = {
  home: { path: () => '/', heading: /The chain now/, shows: '.plot canvas' },
  blocks: { path: () => '/blocks', heading: /Blocks/, shows: 'tbody tr' },
  block: { path: () => `/block/${ids.block}`, heading: /Block \d+/, shows: '.votes' },
  'burn block': { path: () => '/burn-block/112', heading: /Bitcoin block 112/, shows: 'tbody tr' },
  tenure: { path: () => '/tenure/2', heading: /Tenure 2/, shows: 'tbody tr' },
  transactions: { path: () => '/transactions', heading: /Transactions/, shows: 'tbody tr' },
  transfer: { path: () => `/tx/${ids.transfer}`, heading: /Transfer/, shows: '.flow .arrow-label' },
  'contract call': { path: () => `/tx/${ids.call}`, heading: /Contract call/, shows: '.arguments tbody tr' },
  'pending transaction': { path: () => `/tx/${ids.pending}`, heading: /./, shows: '.timeline li' },
  account: { path: () => `/account/${ids.account}`, heading: /Account/, shows: '.gain, .loss' },
  contract: { path: () => `/contract/${ids.contract}`, heading: /Contract pool/, shows: '.source .line' },
  token: { path: () => `/token/${ids.token}`, heading: /Token stone/, shows: '.holders li' },
  collection: { path: () => `/token/${ids.collection}`, heading: /Collection marble/, shows: 'tbody tr' },
  stacking: { path: () => '/stacking', heading: /Stacking/, shows: '.ring' },
  names: { path: () => '/names', heading: /Names/, shows: '.chips a' },
  name: { path: () => `/name/${ids.name}`, heading: /Name/, shows: '.timeline li' },
  mempool: { path: () => '/mempool', heading: /Mempool/, shows: '.treemap' },
  status: { path: () => '/status', heading: /Status/, shows: '.plot canvas' },
  search: { path: () => '/search?q=stone', heading: /Search/, shows: '.results a' },
};

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

/** What axe calls serious or critical, with the elements. */
async function axeFindings(page: Page, rules = 'axe.run()'): Promise<string[]> {
  // The debugger evaluates it: the policy of the page allows no inline script.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html.slice(0, 200)} ${node.failureSummary}`).join(' | ')}`,
    );
}

test.each(Object.entries(pages))(
  'the page %s shows what there is, complains of nothing, is accessible and fits a phone',
  async (_name, { path, heading, shows }) => {
    const { page, context, complaints, outside } = await explorer.open(path());
    await page.locator(shows).first().waitFor({ timeout: 20_000 });
    expect(await page.locator('h1').textContent()).toMatch(heading);
    expect(await page.title()).toContain('Cairn');
    expect(await axeFindings(page), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, "axe.run({ runOnly: ['color-contrast'] })"), 'dark').toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'width on a phone').toBe(360);
    expect(complaints).toEqual([]);
    expect(outside).toEqual([]);
    await context.close();
  },
);

const missing: Record<string, { path: string; says: RegExp }> = {
  'an unknown transaction': { path: `/tx/0x${'ab'.repeat(32)}`, says: /may not have arrived yet/ },
  'a block above the tip': { path: '/block/99999999', says: /above the tip/ },
  'an unknown block hash': { path: `/block/0x${'cd'.repeat(32)}`, says: /fork has removed/ },
  'an unknown Bitcoin block': { path: '/burn-block/99999999', says: /above the tip/ },
  'no address': { path: '/account/STNOTANADDRESS', says: /checksum/ },
  'an unknown contract': { path: '/contract/ST000000000000000000002AMW42H.nothing', says: /not be deployed yet/ },
  'an unknown token': { path: '/token/ST000000000000000000002AMW42H.nothing%3A%3Anone', says: /minted/ },
  'a free name': { path: '/name/nobody-has-this.btc', says: /Nobody owns/ },
  'a tenure to come': { path: '/tenure/999999', says: /not have begun/ },
  'a search without hits': { path: '/search?q=zzzzzzzzzzzz', says: /Nothing was found/ },
  'an empty search': { path: '/search', says: /Write what you look for/ },
};

test.each(Object.entries(missing))('%s gets a page that says what it could be', async (_name, { path, says }) => {
  const { page, context, complaints } = await explorer.open(path);
  await page.getByText(says).first().waitFor({ timeout: 20_000 });
  expect(await axeFindings(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('an account without history is empty, not an error', async () => {
  const { page, context } = await explorer.open('/account/ST000000000000000000002AMW42H');
  await page.getByText('This account holds no tokens.').waitFor();
  await page.getByText('This account owns no names.').waitFor();
  await context.close();
});
