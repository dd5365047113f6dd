import { Cl, getAddressFromPrivateKey } from '@stacks/transactions';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/service.ts';
import { type Ids, makeContent, pages } from './support/chain-pages.ts';
import { type ChainTip, type OpenPage, useExplorer } from './support/explorer.ts';
import { failuresOf, loaded, openAll, seen, textOf } from './support/open-pages.ts';
import { recipient, senderKey, walletOf } from './support/wallet.ts';

const explorer = useExplorer({ CAIRN_DEVNET_BLOCK_SECONDS: '3600' });
const wallet = walletOf(explorer);
const sender = getAddressFromPrivateKey(senderKey, 'testnet');
const bns = 'ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2';

let ids: Ids;
beforeAll(async () => {
  ids = await makeContent(explorer);
});

/** Transactions that change something on every page that follows the chain. */
async function signChanges(round: string) {
  const { deployer } = ids;
  return {
    transfer: await wallet.transfer(1_500_000),
    swap: await wallet.call(`${deployer}.pool`, 'swap-stx', [Cl.uint(1_000_000), Cl.uint(1)]),
    mint: await wallet.call(`${deployer}.stone`, 'mint', [Cl.uint(5_000_000), Cl.principal(recipient)]),
    item: await wallet.call(`${deployer}.marbles`, 'mint', []),
    name: await wallet.call(bns, 'name-claim-fast', [
      ...[Cl.bufferFromAscii(round), Cl.bufferFromAscii('btc'), Cl.principal(sender)],
    ]),
    deploy: wallet.deploy(round, '(define-constant a u1)'),
  };
}

type Id = keyof Awaited<ReturnType<typeof signChanges>>;

/** What must be seen after each change; `!` says that it must not be seen any more. */
type Following = {
  path: string;
  pending?: string[];
  mined?: (tip: ChainTip) => string[] | Promise<string[]>;
  forked?: (tip: ChainTip) => string[] | Promise<string[]>;
  /** Parts that rightly differ between a page that saw the changes and one that is opened after them. */
  except?: string;
  /** After the fork a page that is opened anew cannot say what this one still knows. */
  remembers?: boolean;
};

async function followed(round: string, tx: Record<Id, string>, before: ChainTip): Promise<Record<string, Following>> {
  const link = (id: Id) => `a[href="/tx/${tx[id]}"]`;
  const block = ({ block_height }: ChainTip) => [`a[href="/block/${block_height}"]`];
  const { tenure_height: tenure } = await explorer.get(`/extended/v2/blocks/${before.block_height}`);
  const supply = async () => {
    const { total } = await explorer.get(`/extended/v3/tokens/ft/${ids.token}/supply`);
    return `.figure[title="${Number(total).toLocaleString('en')} base units"]`;
  };
  const balance = async () => {
    const { balance: micro } = await explorer.get(`/extended/v3/principals/${sender}/balances/stx`);
    return `.figure data[value="${micro}"]`;
  };
  const depth = async (id: string, { block_height }: ChainTip) => {
    const { block_height: mined } = await explorer.get(`/extended/v1/tx/${id}`);
    return [`.timeline >> text=/${block_height - mined} blocks on top/`];
  };
  const steps = [`.steps a[href="/block/${before.block_height + 1}"]`];
  return {
    home: { path: '/', mined: block, forked: tip => [...block(tip), '.strip-block.orphan'], except: '.strip' },
    blocks: { path: '/blocks', mined: block, forked: block },
    'old block': { path: `/block/${before.block_height - 5}` },
    'block at the tip': { path: `/block/${before.block_height}`, mined: () => steps, forked: () => steps },
    'burn block to come': {
      path: `/burn-block/${before.burn_block_height + 1}`,
      mined: () => ['tbody tr'],
      remembers: true,
    },
    'tenure to come': { path: `/tenure/${tenure + 1}`, mined: () => ['tbody tr'] },
    transactions: { path: '/transactions', mined: () => [link('transfer')], forked: () => [`!${link('transfer')}`] },
    transfer: {
      path: pages.transfer!.path(ids),
      mined: tip => depth(ids.transfer, tip),
      forked: tip => depth(ids.transfer, tip),
    },
    'contract call': {
      path: pages['contract call']!.path(ids),
      mined: tip => depth(ids.call, tip),
      forked: tip => depth(ids.call, tip),
    },
    'pending transaction': {
      path: `/tx/${tx.transfer}`,
      pending: ['.timeline .now'],
      mined: () => ['.badge.good'],
      forked: () => ['!.badge.good', '.timeline .now'],
    },
    account: {
      path: `/account/${sender}`,
      pending: ['text=Leaving'],
      mined: async () => [link('transfer'), await balance()],
      forked: async () => [await balance()],
    },
    contract: { path: pages.contract!.path(ids), mined: () => [link('swap')], forked: () => [`!${link('swap')}`] },
    'contract to come': {
      path: `/contract/${sender}.${round}`,
      mined: () => ['.source .line'],
      forked: () => ['text=/no longer knows this/'],
      remembers: true,
    },
    token: {
      path: pages.token!.path(ids),
      mined: async () => [link('mint'), await supply()],
      forked: async () => [`!${link('mint')}`, await supply()],
    },
    collection: { path: pages.collection!.path(ids), mined: () => [link('item')], forked: () => [`!${link('item')}`] },
    stacking: { path: '/stacking' },
    names: {
      path: '/names',
      mined: () => [`main a[href="/name/${round}.btc"]`],
      forked: () => [`!main a[href="/name/${round}.btc"]`],
    },
    name: {
      path: `/name/${round}.btc`,
      mined: () => ['.timeline li'],
      forked: () => ['text=/no longer knows this/'],
      remembers: true,
    },
    mempool: {
      path: '/mempool',
      pending: [link('transfer')],
      mined: () => [`!${link('transfer')}`],
      forked: () => [link('transfer')],
    },
    // Nodes and the audit have their own schedule.
    status: { path: '/status', mined: block, forked: block, except: '.rows, .facts' },
    search: {
      path: `/search?q=${round}`,
      mined: () => ['.results a'],
      forked: () => ['text=Nothing was found'],
    },
  };
}

/** Waits until each page shows what one shows that is opened now. */
async function sameAsNew(
  opened: Record<string, OpenPage>,
  entries: Record<string, Following>,
): Promise<Record<string, string>> {
  return await failuresOf(entries, async ({ path, except }, name) => {
    const fresh = await opened[name]!.context.newPage();
    await fresh.goto(explorer.base + path);
    await loaded(fresh);
    const lines = async () => [await textOf(opened[name]!.page, except), await textOf(fresh, except)] as const;
    const same = until(async () => {
      const [shown, now] = await lines();
      return shown.join('\n') === now.join('\n');
    });
    await same.catch(async () => {
      const [shown, now] = await lines();
      const only = (a: string[], b: string[]) => a.filter(line => !b.includes(line));
      throw new Error(`shows ${only(shown, now)} in place of ${only(now, shown)}`);
    });
    await fresh.close();
  });
}

test('every page follows a broadcast, its block and a fork without being loaded again', async () => {
  const round = 'followed';
  const signed = await signChanges(round);
  const tx = Object.fromEntries(Object.entries(signed).map(([name, each]) => [name, `0x${each.txid()}`])) as Record<
    Id,
    string
  >;
  const before = await explorer.tip();
  const entries = await followed(round, tx, before);
  const opened = await openAll(
    explorer,
    Object.fromEntries(Object.entries(entries).map(([name, { path }]) => [name, path])),
  );
  const after = async (what: 'pending' | 'mined' | 'forked') => {
    const tip = await explorer.tip();
    return await failuresOf(entries, async (entry, name) => {
      const expected = what === 'pending' ? entry.pending : await entry[what]?.(tip);
      await seen(opened[name]!.page, expected ?? []);
    });
  };
  for (const transaction of Object.values(signed)) await wallet.send(transaction);
  expect(await after('pending')).toEqual({});

  const { burn_block_height: burn } = await explorer.command('mine?count=2');
  const removed = await explorer.command(`burn-height?to=${burn + 1}`);
  expect(await after('mined')).toEqual({});
  expect(await sameAsNew(opened, entries)).toEqual({});

  const lost = await openAll(explorer, { block: `/block/${removed.block_hash}` });
  await explorer.command(`fork?count=${removed.block_height - before.block_height}`);
  expect(await after('forked')).toEqual({});
  await seen(lost.block.page, ['text=/fork has removed|orphaned/']);
  const comparable = Object.entries(entries).filter(([, { remembers }]) => !remembers);
  expect(await sameAsNew(opened, Object.fromEntries(comparable))).toEqual({});

  for (const [name, { complaints, outside, context }] of Object.entries({ ...opened, ...lost })) {
    expect([name, complaints, outside]).toEqual([name, [], []]);
    await context.close();
  }
});
