/** A value to try a parameter with, on mainnet. */
type Example = string | number | boolean | string[];

const hash = '0x6b2c809627f2fd19991d8eb6ae034cb4cce1e1fc714aa77351506b5af1f8248e';

/** By the name of the parameter. Optional ones have none but where they say what a list is about. */
const byName: Record<string, Example> = {
  principal: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
  address: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
  pool_principal: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
  contract_id: 'SP000000000000000000002Q6VF78.pox-4',
  contract: 'SP000000000000000000002Q6VF78.pox-4',
  function: 'get-stacker-info',
  map: 'stacking-state',
  variable: 'pox-prepare-cycle-length',
  token: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token::sbtc-token',
  asset_identifier: 'SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2::BNS-V2',
  token_id: '1',
  value: '0x0100000000000000000000000000000001',
  trait_abi: '{"functions":[]}',
  q: 'SP000000000000000000002Q6VF78.pox-4',
  tx_id: '0x6b12794359cc0af26b13079993a5d624697a83711e784c4e8d71f24411950f19',
  id: 'SP000000000000000000002Q6VF78.pox-4',
  hash,
  block_hash: hash,
  block_id: hash.slice(2),
  burn_block_hash: '0x000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  height: 1,
  height_or_hash: 'latest',
  tenure_height: 1,
  burn_block_height: 666051,
  timestamp: 1_760_000_000,
  pox: 'pox4',
  cycle_number: 1,
  bond_index: 0,
  output: `${hash}:0`,
  request_id: 1,
  signer_key: '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  network: 'mainnet',
  blockchain: 'stacks',
  name: 'muneeb.btc',
  tld: 'btc',
  namespace: 'btc',
  uuid: '3f2b9a4e-6c1d-4f0a-9b7e-2d5c8e1a7f60',
  zoneFileHash: 'b100a68235244b012854a95f9114695679002af9',
};

/** Where a name means something else. */
const byPath: { under: RegExp; name: string; example: Example }[] = [
  {
    under: /^\/metadata\//,
    name: 'principal',
    example: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token',
  },
  { under: /^\/extended\/v1\/burnchain\//, name: 'address', example: '1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6' },
  { under: /pox-transactions$/, name: 'burnchain_address', example: '1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6' },
  { under: /^\/extended\/v1\/faucets\/btc/, name: 'address', example: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' },
  { under: /^\/extended\/v3\/staking\/cycles\//, name: 'cycle_number', example: 'current' },
  { under: /^\/v2\/(contracts|map_entry|data_var|constant_val|traits)\//, name: 'name', example: 'pox-4' },
  {
    under: /^\/v2\/(contracts|map_entry|data_var|constant_val|traits)\//,
    name: 'address',
    example: 'SP000000000000000000002Q6VF78',
  },
];

/** The example of a parameter of a path; undefined where none is needed. */
export function exampleOf(
  path: string,
  parameter: { name: string; in: string; required?: boolean; schema: { type?: unknown } },
): Example | undefined {
  const { name, required, schema } = parameter;
  const about = parameter.in === 'query' && path === '/extended/v1/tx/events' && name === 'address';
  if (!required && !about) return undefined;
  const example = byPath.find(each => each.name === name && each.under.test(path))?.example ?? byName[name];
  return schema.type === 'array' && example !== undefined ? [example].flat().map(String) : example;
}

/** A transfer of one micro-STX on mainnet, from an account that has none: a node refuses it. */
const signedTransfer =
  '0x0000000001040040a85f1a454ca5c93ae16b5cd9132a6fdaf1618b000000000000000000000000000000b40000a529597e' +
  '295bcfbdcf5ea14aef17fe2119d382fa73f34f7aabd788a9ab436c022a466e0aa220f0689658fb17ac41758bd29c1e495d68' +
  '8aded2b6284759ecea99030200000000000516a46ff88886c2ef9762d970b4d2c63678835bd39d0000000000000001000000' +
  '00000000000000000000000000000000000000000000000000000000000000';

const readOnlyCall = { sender: byName.principal, arguments: [] };
const network_identifier = { blockchain: 'stacks', network: 'mainnet' };

/** Bodies to send, by the path they are posted to. */
const bodies: Record<string, unknown> = {
  '/extended/v1/batch': {
    requests: [
      { path: '/extended/v2/blocks?limit=1&fields=results.height' },
      { path: '/extended/v2/blocks/latest?fields=hash' },
    ],
  },
  '/chainhooks/me': {
    ...{ name: 'incoming', version: '1', chain: 'stacks', network: 'mainnet' },
    filters: { events: [{ type: 'stx_transfer', receiver: byName.principal }] },
    options: { enable_on_registration: true, decode_clarity_values: true },
    action: { type: 'http_post', url: 'https://shop.example/payload' },
  },
  '/chainhooks/me/{uuid}': { name: 'coinbases', filters: { events: [{ type: 'coinbase' }] } },
  '/chainhooks/me/{uuid}/enabled': { enabled: true },
  '/chainhooks/me/enabled': { enabled: false, filters: { statuses: ['interrupted'] } },
  '/chainhooks/me/{uuid}/evaluate': { block_height: 187342 },
  '/extended/v3/faucets/stx': { address: 'ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RQ' },
  '/extended/v3/faucets/sbtc': { address: 'ST2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKQYAC0RQ' },
  '/extended/v3/faucets/btc': { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' },
  '/extended/v1/faucets/btc': { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' },
  '/extended/v1/fee_rate': { transaction: '0x00' },
  '/extended/v1/tx/simulate': { transaction: signedTransfer },
  '/extended/v1/contract/{contract_id}/call/{function}': { arguments: { stacker: byName.principal } },
  '/v2/contracts/call-read/{address}/{name}/{function}': readOnlyCall,
  '/v2/contracts/call-read/{contract}/{function}': readOnlyCall,
  // The payload of a transfer of one micro-STX.
  '/v2/fees/transaction': {
    transaction_payload: `00051a${'00'.repeat(20)}0000000000000001${'00'.repeat(34)}`,
    estimated_len: 180,
  },
  '/v2/map_entry/{address}/{name}/{map}': `0x0516${'00'.repeat(20)}`,
  '/rosetta/v1/network/list': {},
  '/rosetta/v1/network/options': { network_identifier },
  '/rosetta/v1/network/status': { network_identifier },
  '/rosetta/v1/account/balance': { network_identifier, account_identifier: { address: byName.principal } },
  '/rosetta/v1/block': { network_identifier, block_identifier: { index: 1 } },
  '/rosetta/v1/block/transaction': {
    network_identifier,
    block_identifier: { index: 1 },
    transaction_identifier: { hash: byName.tx_id },
  },
  '/rosetta/v1/mempool': { network_identifier },
  '/rosetta/v1/mempool/transaction': { network_identifier, transaction_identifier: { hash: byName.tx_id } },
  '/rosetta/v1/call': { network_identifier, method: 'account_nonces', parameters: { address: byName.principal } },
  '/rosetta/v1/search/transactions': { network_identifier, address: byName.principal, limit: 10 },
  '/rosetta/v1/events/blocks': { network_identifier, offset: 0, limit: 10 },
  '/rosetta/v1/construction/derive': {
    network_identifier,
    public_key: { hex_bytes: String(byName.signer_key).slice(2), curve_type: 'secp256k1' },
  },
};

/** The example of what is posted to a path; undefined where there is none. */
export const bodyExampleOf = (path: string): unknown => bodies[path];
