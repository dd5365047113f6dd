import { Cl } from '@stacks/transactions';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { useExplorer } from './support/explorer.ts';
import { loaded } from './support/open-pages.ts';
import { recipient, walletOf } from './support/wallet.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });
const wallet = walletOf(explorer);
const script = '<img src=x onerror="window.hacked=1">';

let deployer: string;
beforeAll(async () => {
  await explorer.height(1);
  await explorer.command('mine?count=12');
  const { results } = await explorer.get('/extended/v3/search?q=decoy');
  const hit = results.find((each: { type: string }) => each.type === 'smart_contract');
  deployer = hit.result.contract_id.split('.')[0];
});

/** Opens a page, waits for what it must show, and checks that nothing was executed, refused or loaded from elsewhere. */
async function shown(path: string, selectors: string[], texts: string[] = []): Promise<void> {
  const { page, context, complaints, outside } = await explorer.open(path);
  await loaded(page);
  for (const selector of selectors) await page.locator(selector).first().waitFor();
  const main = await page.locator('main').textContent();
  for (const text of texts) expect(main).toContain(text);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('main script, main img, main iframe').count()).toBe(0);
  expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
  await context.close();
}

const hidden = (name: string) => `.hidden-character:text("${name}")`;

test('a token that pretends to be STX is marked, and its metadata are text', async () => {
  const asset = `${deployer}.decoy::stx`;
  // The contract is read in the background, after its deployment.
  const description = await until(async () => {
    const answer = await fetch(`${explorer.base}/metadata/v1/ft/${deployer}.decoy`);
    return answer.ok && JSON.parse(await answer.text()).description;
  });
  expect(description).toContain('<script>');
  await shown(
    `/token/${encodeURIComponent(asset)}`,
    [hidden('U+202E'), hidden('U+200B'), hidden('not all Latin letters'), '.figure:has-text("stx of ")'],
    ['<script>hacked=1</script>', '<img src=x onerror=hacked=1>', `${deployer}.decoy`],
  );
  const { results } = await explorer.get(`/extended/v3/tokens/ft/${asset}/holders`);
  await shown(`/account/${results[0].principal ?? results[0].address}?tab=tokens`, ['.amount:has-text("stx of ")']);
  await shown('/search?q=decoy', ['.results a']);
});

test('pictures of a collection come from this server or not at all, and labels are text', async () => {
  const { page, context, complaints, outside } = await explorer.open('/status');
  const { results } = await explorer.get('/extended/v1/tokens/nft/collections');
  const ids = (results as { contract_id: string }[]).map(({ contract_id }) => contract_id);
  await page.route('**/pictures', route => route.fulfill({ json: { fetched: true } }));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>window.hacked=1</script></svg>`;
  await page.route(`**/pictures/${ids[0]}/1`, route => route.fulfill({ body: svg, contentType: 'image/svg+xml' }));
  await page.route(`**/pictures/${ids[1]}/1`, route => route.fulfill({ status: 502, json: { error: 'gone' } }));
  const pictures = ['https://elsewhere.example/1.svg', 'https://elsewhere.example/2.png'];
  await page.route('**/metadata/v1/search?*', route =>
    route.fulfill({
      json: ids.map((contract_id, i) => ({ contract_id, token_number: 1, token_type: 'nft', image_uri: pictures[i] })),
    }),
  );
  await page.route('**/extended/v1/labels?*', route =>
    route.fulfill({ json: { results: [{ principal: ids[0], label: script, name: null }] } }),
  );
  await page.goto(`${explorer.base}/collections`);
  await page.locator('.tiles img').first().waitFor();
  await page.locator('.tiles .picture.none').waitFor();
  expect(await page.locator('.tiles img').count()).toBe(1);
  expect(await page.locator('.tiles img').getAttribute('src')).toBe(`/pictures/${ids[0]}/1`);
  await page.locator('.called.label', { hasText: script }).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
  await context.close();
});

test('memos, contract names and sources are text', async () => {
  const memo = await wallet.send(await wallet.transfer(1, '<script>hacked=1</script>'));
  // Right-to-left override, zero-width space, and a Cyrillic letter that looks Latin.
  const odd = await wallet.send(await wallet.transfer(1, 'a\u202eb\u200bc p\u0430y'));
  const printed = '<script>hacked=1</script>\u202e\u200b';
  const deploy = await wallet.send(
    wallet.deploy('hostile', `;; ${script}\n(define-constant a u"\\u{202E}${script.replaceAll('"', "'")}")`),
  );
  // Clarity refuses these bytes as a name; the sender of a call may still put them into it.
  const name = await wallet.send(
    await wallet.call('ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2', 'name-claim-fast', [
      ...[Cl.bufferFromUtf8(script), Cl.bufferFromUtf8('b\u0442c'), Cl.principal(recipient)],
    ]),
  );
  // The token prints the memo of a transfer.
  await wallet.send(await wallet.call(`${deployer}.stone`, 'mint', [Cl.uint(5), Cl.principal(wallet.address)]));
  const print = await wallet.send(
    await wallet.call(`${deployer}.stone`, 'transfer', [
      ...[Cl.uint(5), Cl.principal(wallet.address), Cl.principal(recipient), Cl.some(Cl.bufferFromUtf8(printed))],
    ]),
  );
  await explorer.command('mine?count=3');
  await shown(`/tx/${memo}`, ['.badge.good'], ['<script>hacked=1</script>']);
  await shown(`/tx/${odd}`, [hidden('U+202E'), hidden('U+200B'), hidden('not all Latin letters')]);
  await shown(`/tx/${deploy}`, ['.badge.good']);
  await shown(`/tx/${print}`, ['.badge.good']);
  await shown(`/contract/${deployer}.stone`, ['.events li']);
  await shown(`/tx/${name}`, ['.badge']);
  const { sender_address: sender } = await explorer.get(`/extended/v1/tx/${deploy}`);
  await shown(`/contract/${sender}.hostile`, ['.source .line'], [script]);
  await shown(`/search?q=${encodeURIComponent(script)}`, ['main >> text=Nothing was found'], [script]);
  await shown(`/name/${encodeURIComponent(script)}`, ['main h1'], [script]);
});

test('a source of nearly one megabyte is mined and does not block the page', async () => {
  const line = `(define-constant text-NUMBER "${'<b>x</b> '.repeat(30)}")\n`;
  const source = Array.from({ length: 3300 }, (_, i) => line.replace('NUMBER', String(i))).join('');
  expect(source.length).toBeGreaterThan(950_000);
  const id = await wallet.send(wallet.deploy('large', source));
  await explorer.command('mine?count=3');
  const { sender_address: sender, tx_status } = await explorer.get(`/extended/v1/tx/${id}`);
  expect(tx_status).toBe('success');
  const { page, context, complaints } = await explorer.open(`/contract/${sender}.large`);
  await page.locator('.source .line').first().waitFor();
  await page.getByRole('button', { name: /Show all/ }).waitFor();
  expect(await page.locator('.source .line').count()).toBeLessThan(1000);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a transaction above the limit of a node is refused with the reason', async () => {
  const transaction = wallet.deploy('too-large', `;; ${'x'.repeat(2 << 20)}`);
  const response = await fetch(`${explorer.base}/v2/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(transaction.serializeBytes()),
  });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('more than 2097152 bytes')]);
});
