/** Values of parameters that a chain has, by the names of the parameters; the best known one first. */
export type KnownValues = Record<string, string[]>;

type Json = Record<string, unknown>;
type Page = { results: Json[] };
type Get = <T>(path: string) => Promise<T>;

const texts = (values: unknown[]): string[] => [
  ...new Set(values.flatMap(value => (value === undefined || value === null ? [] : [String(value)]))),
];

/** Reads values from the lists of a running service, as a client does. */
export async function readKnownValues(get: Get): Promise<KnownValues> {
  const { results: transactions } = await get<Page>('/extended/v1/tx?limit=50');
  const { results: waiting } = await get<Page>('/extended/v1/tx/mempool?limit=5');
  const { results: blocks } = await get<Page>('/extended/v2/blocks?limit=5');
  const { results: burnBlocks } = await get<Page>('/extended/v2/burn-blocks?limit=5');
  const { results: rewards } = await get<Page>('/extended/v1/burnchain/rewards?limit=5');
  const { results: cycles } = await get<Page>('/extended/v2/pox/cycles?limit=5');
  const names = await get<string[]>('/v1/names');
  const { namespaces } = await get<{ namespaces: string[] }>('/v1/namespaces');
  const principals = texts(transactions.map(each => each.sender_address)).slice(0, 8);
  const calls = transactions.flatMap(each => (each.contract_call ? [each.contract_call as Json] : []));
  const contracts = texts(calls.map(each => each.contract_id));
  const [cycle] = cycles;
  const signers = cycle && (await get<Page>(`/extended/v2/pox/cycles/${cycle.cycle_number}/signers`)).results;
  const held = await Promise.all(principals.map(principal => readHoldings(get, principal)));
  const hashes = texts(blocks.map(each => each.hash));
  return {
    principal: [...principals, ...contracts.slice(0, 2)],
    address: principals,
    pool_principal: principals,
    from_address: principals,
    to_address: principals,
    sender_address: principals,
    recipient_address: principals,
    tx_id: texts([...transactions.slice(0, 6), ...waiting].map(each => each.tx_id)),
    height: texts(blocks.map(each => each.height)),
    hash: hashes,
    block_hash: hashes,
    height_or_hash: [...hashes, ...texts(blocks.map(each => each.height)), 'latest'],
    block_id: texts(blocks.map(each => each.index_block_hash)).map(id => id.slice(2)),
    tenure_height: texts(blocks.map(each => each.tenure_height)),
    timestamp: texts(blocks.map(each => each.block_time)),
    burn_block_hash: texts(burnBlocks.map(each => each.burn_block_hash)),
    burn_block_height: texts(burnBlocks.map(each => each.burn_block_height)),
    reward_address: texts(rewards.map(each => each.reward_recipient)),
    burnchain_address: texts(rewards.map(each => each.reward_recipient)),
    cycle_number: texts(cycles.map(each => each.cycle_number)),
    signer_key: texts((signers ?? []).map(each => each.signing_key)),
    contract_id: contracts,
    contract: contracts,
    function_name: texts(calls.map(each => each.function_name)),
    token: texts(held.flatMap(each => each.tokens)),
    asset_identifier: texts(held.flatMap(each => each.collections)),
    asset_identifiers: texts(held.flatMap(each => each.collections)),
    value: texts(held.flatMap(each => each.values)),
    id: texts([principals[0], contracts[0], transactions[0]?.tx_id, hashes[0]]),
    q: texts([principals[0], contracts[0], transactions[0]?.tx_id, hashes[0]]),
    name: names.slice(0, 4),
    tld: namespaces.slice(0, 4),
    namespace: namespaces.slice(0, 4),
    network: ['testnet'],
  };
}

async function readHoldings(get: Get, principal: string) {
  type Balances = { fungible_tokens: Json; non_fungible_tokens: Json };
  type Holdings = { results: { asset_identifier: string; value: { hex: string } }[] };
  const balances = await get<Balances>(`/extended/v1/address/${principal}/balances`);
  const { results } = await get<Holdings>(`/extended/v1/tokens/nft/holdings?principal=${principal}&limit=3`);
  return {
    tokens: Object.keys(balances.fungible_tokens),
    collections: results.map(each => each.asset_identifier),
    values: results.map(each => each.value.hex),
  };
}
