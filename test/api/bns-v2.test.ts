import { expect, test } from 'vitest';
import { testChain } from '../support/chain.ts';
import { addressOf, v2 } from '../support/names-chain.ts';
import { serveChainForFile } from '../support/served-chain.ts';

const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
const written = { btc: 'bc1q', twitter: 'alice', subdomains: [{ name: 'shop' }, 'blog', 5], url: 7 };

const { ask, get } = serveChainForFile(() => {
  const chain = testChain({ accounts: 3 });
  const first = chain.mine(chain.genesis, {
    transactions: [
      v2(0, { name: 'namespace-launch', namespace: 'btc', lifetime: 1000, launchedAt: 90 }),
      v2(0, { name: 'namespace-launch', namespace: 'corp', lifetime: 0, launchedAt: 90, manager: carol }),
      v2(0, { name: 'name-register', fqn: 'new.btc', id: 1, renewal: 900_000 }),
      v2(0, { name: 'name-register', fqn: 'due.btc', id: 2, renewal: 95 }),
      v2(2, { name: 'name-airdrop', fqn: 'old.btc', id: 3, to: bob }),
      v2(0, { name: 'name-import', fqn: 'ever.corp', id: 4, to: alice }),
      v2(0, { name: 'name-register', fqn: 'bad.btc', id: 5, renewal: 900_000 }),
    ],
  });
  const second = chain.mine(first, {
    transactions: [
      v2(0, { name: 'update-zonefile', fqn: 'new.btc', zonefile: JSON.stringify(written) }),
      v2(0, { name: 'update-zonefile', fqn: 'bad.btc', zonefile: '$ORIGIN bad' }),
      v2(1, { name: 'revoke-name', fqn: 'old.btc' }),
    ],
  });
  return [chain.genesis, first, second];
});

type Name = { full_name: string; renewal_height: string };
const valid = (who: string, query = '') => get(`/bns/v2/names/address/${who}/valid${query}`);

test('the valid names of an account are listed with every key that wallets check', async () => {
  const page = await valid(alice);
  const heights = { current_burn_block: expect.any(Number), limit: 50, offset: 0 };
  expect(page).toEqual({ total: 3, ...heights, names: expect.any(Array) });
  expect(page.names.map(({ full_name }: Name) => full_name)).toEqual(['bad.btc', 'ever.corp', 'new.btc']);
  expect(page.names[2]).toEqual({
    full_name: 'new.btc',
    name_string: 'new',
    namespace_string: 'btc',
    owner: alice,
    registered_at: expect.stringMatching(/^\d+$/),
    renewal_height: '900000',
    stx_burn: '0',
    revoked: false,
  });
  expect(page.names[1].renewal_height).toBe('0');
  const second = await valid(alice, '?limit=1&offset=1');
  expect(second).toMatchObject({ total: 3, limit: 1, offset: 1, names: [{ full_name: 'ever.corp' }] });
  expect(await valid(bob)).toMatchObject({ total: 0, names: [] });
  expect((await ask('/bns/v2/names/address/nobody/valid')).status).toBe(400);
});

test('a name is found with its state', async () => {
  const found = await get('/bns/v2/names/new.btc');
  expect(found).toMatchObject({
    status: 'active',
    data: { full_name: 'new.btc', owner: alice, imported_at: null, is_valid: true },
  });
  expect(await get('/bns/v2/names/due.btc')).toMatchObject({ status: 'grace', data: { is_valid: false } });
  expect(await get('/bns/v2/names/old.btc')).toMatchObject({ status: 'revoked', data: { revoked: true } });
  expect((await ask('/bns/v2/names/none.btc')).status).toBe(404);
  expect((await ask('/bns/v2/names/none')).status).toBe(400);
});

test('a name resolves to the fields of its zonefile, whatever somebody wrote there', async () => {
  const empty = { owner: alice, general: '', twitter: '', url: '', nostr: '', lightning: '', btc: '', subdomains: [] };
  expect(await get('/bns/v2/resolve-name/new.btc')).toEqual({
    zonefile: { ...empty, btc: 'bc1q', twitter: 'alice', subdomains: ['shop', 'blog'] },
  });
  for (const name of ['bad.btc', 'ever.corp']) {
    expect(await get(`/bns/v2/resolve-name/${name}`)).toEqual({ zonefile: empty });
  }
  for (const name of ['due.btc', 'old.btc', 'none.btc']) {
    expect((await ask(`/bns/v2/resolve-name/${name}`)).status).toBe(404);
  }
});
