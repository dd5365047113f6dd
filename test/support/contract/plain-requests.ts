import type { Operation } from '../../../src/api/docs/openapi.ts';
import type { KnownValues } from './devnet-values.ts';
import type { DocumentedOperation } from './document-check.ts';

/** A request of a client. */
export type Asked = { method: string; url: string; type?: string; body?: string };

type Parameter = NonNullable<Operation['parameters']>[number];

/** Parameters whose name means another thing under some paths. */
const meanings: { under: RegExp; name: string; means: string }[] = [
  { under: /\/burn-blocks\//, name: 'height_or_hash', means: 'burn_block_hash' },
  { under: /^\/metadata\//, name: 'principal', means: 'contract_id' },
  { under: /\/microblock\//, name: 'hash', means: 'microblock_hash' },
  { under: /\/burnchain\//, name: 'address', means: 'reward_address' },
  { under: /^\/extended\/v1\/faucets\/btc/, name: 'address', means: 'bitcoin_address' },
  { under: /^\/extended\/v3\/tokens\/ft\//, name: 'asset_identifier', means: 'token' },
  { under: /^\/v2\/(contracts|map_entry|data_var)\//, name: 'address', means: 'boot_address' },
  { under: /^\/v2\/(contracts|map_entry|data_var)\//, name: 'name', means: 'boot_contract' },
  { under: /\/call(-read)?\//, name: 'contract', means: 'boot_contract_id' },
  { under: /\/call(-read)?\//, name: 'contract_id', means: 'boot_contract_id' },
];

const BOOT = 'ST000000000000000000002AMW42H';
const boot: KnownValues = {
  boot_address: [BOOT],
  boot_contract: ['pox-4'],
  boot_contract_id: [`${BOOT}.pox-4`],
};

/** The values that a parameter of a path can have on this chain, or the example of the document. */
export function valuesOf(path: string, { name, example }: Parameter, known: KnownValues): string[] {
  const means = meanings.find(each => each.name === name && each.under.test(path))?.means ?? name;
  const values = boot[means] ?? known[means] ?? [];
  return values.length > 0 || example === undefined ? values : [[example].flat().map(String).join(',')];
}

/** The request that the document itself shows, about things of this chain: everything that must be given, and no more. */
export function plainRequest({ method, path, operation }: DocumentedOperation, known: KnownValues): Asked {
  let url = path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const { name, required } = parameter;
    if (!required && !(path === '/extended/v1/tx/events' && name === 'address')) continue;
    const [value] = valuesOf(path, parameter, known);
    if (value === undefined) throw new Error(`${path} has neither a value nor an example of ${name}`);
    if (parameter.in === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  if (query.size > 0) url += `?${query}`;
  const content = operation.requestBody?.content ?? {};
  const [type] = Object.keys(content);
  if (type === undefined) return { method, url };
  if (type !== 'application/json') return { method, url, type, body: '00' };
  return { method, url, type, body: onThisChain(JSON.stringify(content[type]!.example ?? {}), known) };
}

/** Examples are of mainnet. */
export const onThisChain = (text: string, { principal = [], tx_id = [], signed = [] }: KnownValues) =>
  text
    .replaceAll(/0x00000000010400[0-9a-f]+/g, signed[0] ?? '$&')
    .replaceAll('"mainnet"', '"testnet"')
    .replaceAll(/SP2J6ZY[0-9A-Z]+/g, principal[0] ?? '$&')
    .replaceAll(/0x6b127943[0-9a-f]+/g, tx_id[0] ?? '$&');
