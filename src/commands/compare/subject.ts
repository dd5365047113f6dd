import { isObject } from './difference.ts';

/** Kinds of subjects of routes. */
export type Kind =
  | 'chain'
  | 'block'
  | 'burn block'
  | 'microblock'
  | 'transaction'
  | 'principal'
  | 'transaction of a principal'
  | 'token of a principal'
  | 'contract'
  | 'fungible token'
  | 'non-fungible token'
  | 'stacking contract'
  | 'cycle'
  | 'signer of a cycle'
  | 'staking signer'
  | 'bond'
  | 'member of a bond'
  | 'reward recipient'
  | 'name'
  | 'zonefile'
  | 'namespace';

/** A subject: its kind and the parameters that name it. */
export type Subject = { kind: Kind; values: Readonly<Record<string, string>> };

const PRINCIPAL =
  /^\/extended\/(v1\/address|v2\/addresses|v3\/principals)\/|^\/v1\/addresses\/|\/nft\/holdings$|\{pox\}\/(stacker|\{pool_)/;

/** The routes of each kind; `uses` is the parameter that distinguishes it from a wider kind. */
export const KINDS: Record<Kind, { match: RegExp; uses?: readonly string[] }> = {
  chain: { match: /^[^{]*$/ },
  block: {
    match:
      /^\/extended\/(v1\/block\/(by_height|\{hash\})|v1\/tx\/block|v2\/blocks\/|v2\/block-tenures\/|v3\/blocks\/|v1\/stx_supply)/,
    uses: ['height', 'hash', 'block_hash', 'height_or_hash', 'timestamp', 'tenure_height'],
  },
  'burn block': {
    match: /^\/extended\/(v1\/block\/by_burn_block|v2\/burn-blocks\/)/,
    uses: ['burn_block_hash', 'burn_block_height', 'height_or_hash'],
  },
  microblock: { match: /^\/extended\/v1\/microblock\//, uses: ['hash'] },
  transaction: {
    match: /^\/extended\/(v1\/tx\/|v3\/transactions\/|v1\/\{pox\}\/tx\/|v1\/search|v3\/search)/,
    uses: ['tx_id', 'id', 'q'],
  },
  principal: { match: PRINCIPAL, uses: ['principal', 'address', 'pool_principal'] },
  'transaction of a principal': { match: PRINCIPAL, uses: ['tx_id'] },
  'token of a principal': { match: PRINCIPAL, uses: ['token', 'asset_identifier'] },
  contract: { match: /\/(contract|smart-contracts)\//, uses: ['contract_id'] },
  'fungible token': { match: /\/tokens\/ft\//, uses: ['token', 'asset_identifier'] },
  'non-fungible token': { match: /\/tokens\/nft\/(?!holdings)/, uses: ['asset_identifier'] },
  'stacking contract': { match: /\/\{pox\}\/events$/, uses: ['pox'] },
  cycle: { match: /\/cycles\//, uses: ['cycle_number'] },
  'signer of a cycle': { match: /\/cycles\//, uses: ['signer_key'] },
  'staking signer': { match: /\/staking\/signers\//, uses: ['principal'] },
  bond: { match: /\/staking\/bonds\//, uses: ['bond_index'] },
  'member of a bond': { match: /\/staking\/bonds\//, uses: ['principal'] },
  'reward recipient': { match: /\/burnchain\/|\/pox-transactions$/, uses: ['address', 'burnchain_address'] },
  name: { match: /^\/v1\/names\/|^\/v2\/prices\/names\//, uses: ['name'] },
  zonefile: { match: /^\/v1\/names\//, uses: ['zoneFileHash'] },
  namespace: { match: /^\/v1\/namespaces\/|^\/v2\/prices\/namespaces\//, uses: ['tld'] },
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The value at a path of keys in a response; undefined if there is none. */
export const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

const listAt = (value: unknown, ...keys: readonly string[]): readonly unknown[] => {
  const list = at(value, ...keys);
  return Array.isArray(list) ? list : [];
};

/** A subject, or none if one of its values is missing. */
function subject(kind: Kind, values: Record<string, unknown>): Subject[] {
  const entries = Object.entries(values).map(([name, value]) => [name, text(value)] as const);
  if (entries.some(([, value]) => value === undefined || value === '')) return [];
  return [{ kind, values: Object.fromEntries(entries) as Record<string, string> }];
}

/** Subjects that every chain has. */
export const CHAIN_SUBJECTS: readonly Subject[] = [
  ...['pox2', 'pox3', 'pox4'].map(pox => ({ kind: 'stacking contract', values: { pox } }) as const),
  { kind: 'chain', values: {} },
];

/** The block of a response of `/extended/v2/blocks/{height_or_hash}`. */
export function blockSubject(block: unknown): Subject[] {
  const height = at(block, 'height');
  const hash = at(block, 'hash');
  return subject('block', {
    ...{ height, height_or_hash: height, hash, block_hash: hash },
    ...{ timestamp: at(block, 'block_time'), tenure_height: at(block, 'tenure_height') ?? 1 },
  });
}

/** A block of which only the height is known. */
export const heightSubject = (height: number): Subject => ({
  kind: 'block',
  values: { height: String(height), height_or_hash: String(height) },
});

const principal = (address: unknown) =>
  subject('principal', { principal: address, address, pool_principal: address, pox: 'pox4', blockchain: 'stacks' });

type Finder = (body: unknown, values: Subject['values']) => Subject[];

/** Finds a subject in each row of a page. */
const inRows =
  (kind: Kind, read: (row: unknown, values: Subject['values']) => Record<string, unknown>): Finder =>
  (body, values) =>
    listAt(body, 'results').flatMap(row => subject(kind, read(row, values)));

/** Where responses of each route name subjects; other routes name none. */
const FINDERS: Record<string, Finder> = {
  '/extended/v2/blocks/{height_or_hash}': block => {
    const height = at(block, 'burn_block_height');
    const hash = at(block, 'burn_block_hash');
    return subject('burn block', { burn_block_hash: hash, burn_block_height: height, height_or_hash: height });
  },
  '/extended/v2/blocks/{height_or_hash}/transactions': inRows('transaction', row => {
    const id = at(row, 'tx_id');
    return { tx_id: id, id, q: id, pox: 'pox4' };
  }),
  '/extended/v1/tx/{tx_id}': tx => [...partiesOf(tx), ...assetsOf(tx)],
  '/extended/v1/microblock': inRows('microblock', row => ({ hash: at(row, 'microblock_hash') })),
  '/extended/v1/burnchain/rewards': inRows('reward recipient', row => {
    const address = at(row, 'reward_recipient');
    return { address, burnchain_address: address };
  }),
  // The newest cycle can still change.
  '/extended/v2/pox/cycles': (body, values) =>
    inRows('cycle', row => ({ cycle_number: at(row, 'cycle_number') }))(body, values).slice(1),
  '/extended/v2/pox/cycles/{cycle_number}/signers': inRows('signer of a cycle', (row, { cycle_number }) => ({
    ...{ cycle_number, signer_key: at(row, 'signing_key') },
  })),
  '/extended/v3/staking/signers': inRows('staking signer', row => ({ principal: at(row, 'signer') })),
  '/extended/v3/staking/bonds': inRows('bond', row => ({ bond_index: at(row, 'index') })),
  '/extended/v3/staking/bonds/{bond_index}/allowlist': inRows('member of a bond', (row, { bond_index }) => ({
    ...{ bond_index, principal: at(row, 'staker') },
  })),
  '/v1/names': body => (Array.isArray(body) ? body : []).flatMap(name => subject('name', { name })),
  '/v1/namespaces': body => listAt(body, 'namespaces').flatMap(tld => subject('namespace', { tld })),
  '/v1/addresses/{blockchain}/{address}': body => listAt(body, 'names').flatMap(name => subject('name', { name })),
  '/v1/names/{name}': (body, { name }) => subject('zonefile', { name, zoneFileHash: at(body, 'zonefile_hash') }),
};

/** True if responses of a route name subjects. */
export const namesSubjects = (route: string) => Object.hasOwn(FINDERS, route);

/** The subjects that a response of a route names, in the order of the response. */
export const subjectsIn = (route: string, body: unknown, { values }: Subject): Subject[] =>
  FINDERS[route]?.(body, values) ?? [];

/** Accounts and contracts of a transaction, accounts also combined with it. */
function partiesOf(tx: unknown): Subject[] {
  const events = listAt(tx, 'events');
  const addresses = [
    ...[at(tx, 'sender_address'), at(tx, 'sponsor_address'), at(tx, 'token_transfer', 'recipient_address')],
    ...events.flatMap(event => [at(event, 'asset', 'recipient'), at(event, 'asset', 'sender')]),
    ...events.map(event => at(event, 'stx_lock_event', 'locked_address')),
  ];
  const parties = [...new Set(addresses)];
  const contracts = [at(tx, 'contract_call', 'contract_id'), at(tx, 'smart_contract', 'contract_id')];
  return [
    ...parties.flatMap(address => principal(address)),
    ...parties.flatMap(address =>
      subject('transaction of a principal', { principal: address, address, tx_id: at(tx, 'tx_id') }),
    ),
    ...contracts.flatMap(id => subject('contract', { contract_id: id })),
  ];
}

function assetsOf(tx: unknown): Subject[] {
  return listAt(tx, 'events').flatMap(event => {
    const id = at(event, 'asset', 'asset_id');
    const holder = at(event, 'asset', 'recipient') || at(event, 'asset', 'sender');
    if (at(event, 'event_type') === 'fungible_token_asset') {
      return [
        ...subject('fungible token', { token: id, asset_identifier: id }),
        ...subject('token of a principal', { principal: holder, address: holder, token: id, asset_identifier: id }),
      ];
    }
    if (at(event, 'event_type') !== 'non_fungible_token_asset') return [];
    return subject('non-fungible token', { asset_identifier: id, value: at(event, 'asset', 'value', 'hex') });
  });
}
