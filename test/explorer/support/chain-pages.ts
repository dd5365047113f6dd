import { until } from '../../support/service.ts';
import type { Explorer } from './explorer.ts';

/** Something of each kind that the residents of the devnet have made. */
export type Ids = Record<
  'transfer' | 'call' | 'block' | 'account' | 'deployer' | 'token' | 'collection' | 'name' | 'pending' | 'signer',
  string
>;

export type ChainPage = {
  path: (ids: Ids) => string;
  heading: RegExp;
  /** What the page has drawn when it is loaded. */
  shows: string;
};

/** Every page of the explorer, with something to show. */
export const pages: Record<string, ChainPage> = {
  home: { path: () => '/', heading: /The chain now/, shows: '.plot canvas' },
  blocks: { path: () => '/blocks', heading: /Blocks/, shows: 'tbody tr' },
  block: { path: ids => `/block/${ids.block}`, heading: /Block \d+/, shows: '.votes' },
  'burn block': { path: () => '/burn-block/112', heading: /Bitcoin block 112/, shows: 'tbody tr' },
  tenure: { path: () => '/tenure/2', heading: /Tenure 2/, shows: 'tbody tr' },
  transactions: { path: () => '/transactions', heading: /Transactions/, shows: 'tbody tr' },
  transfer: { path: ids => `/tx/${ids.transfer}`, heading: /Transfer/, shows: '.flow .arrow-label' },
  'contract call': { path: ids => `/tx/${ids.call}`, heading: /Contract call/, shows: '.arguments tbody tr' },
  'pending transaction': { path: ids => `/tx/${ids.pending}`, heading: /./, shows: '.timeline li' },
  account: { path: ids => `/account/${ids.account}`, heading: /Account/, shows: '.gain, .loss' },
  contract: { path: ids => `/contract/${ids.deployer}.pool`, heading: /Contract pool/, shows: '.source .line' },
  token: { path: ids => `/token/${encodeURIComponent(ids.token)}`, heading: /Token stone/, shows: '.holders li' },
  collection: {
    path: ids => `/token/${encodeURIComponent(ids.collection)}`,
    heading: /Collection marble/,
    shows: '.holders li',
  },
  tokens: { path: () => '/tokens', heading: /Tokens/, shows: 'tbody tr' },
  collections: { path: () => '/collections', heading: /Collections/, shows: '.tiles a' },
  contracts: { path: () => '/contracts', heading: /Contracts/, shows: 'tbody tr' },
  stacking: { path: () => '/stacking', heading: /Stacking/, shows: '.ring' },
  signer: { path: ids => `/signer/${ids.signer}`, heading: /Signer/, shows: '.bar-row' },
  sbtc: { path: () => '/sbtc', heading: /sBTC/, shows: '.facts' },
  names: { path: () => '/names', heading: /Names/, shows: '.chips a' },
  namespace: { path: () => '/names?namespace=cairn', heading: /Names in \.cairn/, shows: '.chips a' },
  name: { path: ids => `/name/${ids.name}`, heading: /Name/, shows: '.lease-bar' },
  mempool: { path: () => '/mempool', heading: /Mempool/, shows: '.treemap' },
  status: { path: () => '/status', heading: /Status/, shows: '.plot canvas' },
  search: { path: () => '/search?q=stone', heading: /Search/, shows: '.results a' },
};

/** Mines until the residents have made something of each kind; the chain is at rest then, unless blocks are mined by time. */
export async function makeContent(explorer: Explorer): Promise<Ids> {
  await explorer.height(1);
  await explorer.command('mine?count=30');
  // The last transactions of the residents arrive after the block.
  await until(async () => {
    const { mempool } = JSON.parse(await (await fetch(`${explorer.nodeUrl}/devnet`)).text());
    return (await explorer.get('/extended/v1/tx/mempool?limit=1')).total === mempool;
  });
  return await until(() => findIds(explorer));
}

type Summary = { type: string; tx_id: string; contract_call?: { contract_id: string; function_name: string } };

async function findIds({ get }: Explorer): Promise<Ids | undefined> {
  const { results } = await get('/extended/v3/transactions?limit=50');
  const [name] = await get('/v1/names');
  const { results: waiting } = await get('/extended/v3/mempool/transactions?limit=1');
  const calls = (results as Summary[]).filter(tx => tx.type === 'contract_call');
  const transfer = (results as Summary[]).find(tx => tx.type === 'token_transfer')?.tx_id;
  const swap = calls.find(tx => tx.contract_call?.function_name.startsWith('swap'));
  const stone = calls.find(tx => tx.contract_call?.contract_id.endsWith('.stone'))?.contract_call?.contract_id;
  // Signers respond from the first reward set on.
  const { results: blocks } = await get('/signer-metrics/v1/blocks?limit=10');
  const signed = (blocks as { block_height: number; signer_data: object | null }[]).find(block => block.signer_data);
  const { results: cycles } = await get('/extended/v2/pox/cycles?limit=1');
  if (!transfer || !swap || !stone || !name || !waiting[0] || !signed || !cycles[0]) return undefined;
  const { results: signers } = await get(`/extended/v2/pox/cycles/${cycles[0].cycle_number}/signers`);
  const deployer = stone.split('.')[0]!;
  return {
    transfer,
    call: swap.tx_id,
    block: String(signed.block_height),
    account: results[0].sender.address,
    deployer,
    token: `${stone}::stone`,
    collection: `${deployer}.marbles::marble`,
    name,
    pending: waiting[0].tx_id,
    signer: signers[0].signing_key,
  };
}
