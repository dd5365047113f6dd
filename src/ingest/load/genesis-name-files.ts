import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { hash160 } from '@cairn-stacks/codec/hash';
import { stacksOwner } from '../../chain/names/zonefile.ts';

/** A part of the files, as the message that the log gets. */
export type GenesisPart = {
  names?: { ordinal: number; name: string; owner: string; zonefile_hash: string }[];
  namespaces?: { ordinal: number; namespace: string; importer: string; lifetime: number; price: string[] }[];
  zonefiles?: { hash: string; content: string }[];
  vesting?: { ordinal: number; owner: string; amount: string; height: number }[];
  subdomains?: { name: string; owner: string; zonefile_hash: string; resolver: string; content: string }[];
};

/** A file of the operator is invalid; the message names it. */
export class GenesisFileError extends Error {
  override name = 'GenesisFileError';
}

const itemsOfPart = 1000;

/** Reads the folder of an operator with names and vesting of Stacks 1.0, part by part; invalid lines are passed to `onRefused`. */
export async function* readGenesisFiles(
  folder: string,
  onRefused: (line: string) => void,
): AsyncGenerator<GenesisPart> {
  const chainstate = join(folder, 'chainstate.txt');
  if (!(await exists(chainstate))) throw new GenesisFileError(`${chainstate} is missing`);
  for (const name of ['chainstate.txt', 'name_zonefiles.txt', 'subdomains.csv', 'subdomain_zonefiles.txt']) {
    await checkDigest(join(folder, name));
  }
  yield* inParts('namespaces', readNamespaces(chainstate, onRefused));
  yield* inParts('names', readNames(chainstate, onRefused));
  yield* inParts('vesting', readVesting(chainstate, onRefused));
  yield* inParts('zonefiles', readZonefiles(join(folder, 'name_zonefiles.txt'), onRefused));
  const contents = new Map<string, string>();
  for await (const [hash, content] of pairs(join(folder, 'subdomain_zonefiles.txt'))) contents.set(hash, content);
  yield* inParts('subdomains', readSubdomains(join(folder, 'subdomains.csv'), contents, onRefused));
}

async function* inParts<K extends keyof GenesisPart>(
  key: K,
  items: AsyncIterable<NonNullable<GenesisPart[K]>[number]>,
): AsyncGenerator<GenesisPart> {
  let part: NonNullable<GenesisPart[K]>[number][] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < itemsOfPart) continue;
    yield { [key]: part } as GenesisPart;
    part = [];
  }
  if (part.length > 0) yield { [key]: part } as GenesisPart;
}

async function* readNamespaces(file: string, onRefused: (line: string) => void) {
  let ordinal = 0;
  for await (const line of section(file, 'NAMESPACES')) {
    const [namespace = '', address = '', buckets = '', ...rest] = line.split(',');
    const importer = stacksOwner(address);
    const [base, coeff, nonalpha, noVowel, lifetime] = rest;
    const price = [base, coeff, nonalpha, noVowel, ...buckets.split(/[;|]/)].map(number => number ?? '');
    const right = /^[a-z0-9_-]{1,20}$/.test(namespace) && isPrincipal(importer) && price.length === 20;
    if (!right || ![...price, lifetime ?? ''].every(number => /^\d{1,18}$/.test(number))) {
      onRefused(line);
      continue;
    }
    yield { ordinal: ordinal++, namespace, importer, lifetime: Math.min(Number(lifetime), 2_147_483_647), price };
  }
}

async function* readNames(file: string, onRefused: (line: string) => void) {
  // Namespaces are numbered from 0; a gap between the two does no harm.
  let ordinal = 100_000;
  for await (const line of section(file, 'NAMES')) {
    const [name = '', address = '', hash = ''] = line.split(',');
    const owner = stacksOwner(address);
    if (!/^[\x21-\x2d\x2f-\x7e]{1,48}\.[a-z0-9_-]{1,20}$/.test(name) || !isPrincipal(owner) || !isHex(hash)) {
      onRefused(line);
      continue;
    }
    yield { ordinal: ordinal++, name, owner, zonefile_hash: hash };
  }
}

async function* readVesting(file: string, onRefused: (line: string) => void) {
  let ordinal = 0;
  for await (const line of section(file, 'STX VESTING')) {
    const [address = '', amount = '', height = ''] = line.split(',');
    const owner = stacksOwner(address);
    if (!isPrincipal(owner) || !/^\d{1,18}$/.test(amount) || !/^\d{1,9}$/.test(height)) {
      onRefused(line);
      continue;
    }
    yield { ordinal: ordinal++, owner, amount, height: Number(height) };
  }
}

async function* readZonefiles(file: string, onRefused: (line: string) => void) {
  for await (const [hash, content] of pairs(file)) {
    const bytes = Buffer.from(content, 'utf8');
    // A zonefile is known by its hash: one under another name would be shown for the wrong name.
    if (Buffer.from(hash160(bytes)).toString('hex') !== hash) onRefused(hash);
    else yield { hash, content: bytes.toString('hex') };
  }
}

async function* readSubdomains(file: string, contents: Map<string, string>, onRefused: (line: string) => void) {
  let first = true;
  for await (const line of lines(file)) {
    const [hash = '', , name = '', owner = '', , , , resolver = ''] = line.split(',');
    const header = first && !isHex(hash);
    first = false;
    if (header) continue;
    if (name.length > 200 || name.split('.').length !== 3 || !isHex(hash) || owner === '' || owner.length > 170) {
      onRefused(line);
      continue;
    }
    const content = Buffer.from(contents.get(hash) ?? '', 'utf8').toString('hex');
    yield { name, owner: stacksOwner(owner), zonefile_hash: hash, resolver, content };
  }
}

const isHex = (text: string) => /^(?:[0-9a-f]{2})*$/.test(text);

/** Lines between the markers of a section, without the row of column names. */
async function* section(file: string, name: string): AsyncGenerator<string> {
  let inside = false;
  for await (const line of lines(file)) {
    if (line === `-----BEGIN ${name}-----`) inside = true;
    else if (line.startsWith('-----END ')) inside = false;
    else if (inside && !/^(?:[a-z_]+,)?address,[a-z]/.test(line)) yield line;
  }
}

/** A line with a hash, then one with the content of that hash; newlines inside are escaped. */
async function* pairs(file: string): AsyncGenerator<[string, string]> {
  let hash: string | undefined;
  for await (const line of lines(file, { blank: true })) {
    if (hash === undefined) {
      if (line !== '') hash = line;
    } else {
      yield [hash, line.replaceAll('\\n', '\n')];
      hash = undefined;
    }
  }
}

/** A file that is not there has no lines: only one of the four must be. */
async function* lines(file: string, { blank = false } = {}): AsyncGenerator<string> {
  if (!(await exists(file))) return;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (blank || line !== '') yield line;
  }
}

/** Checks a file against its `.sha256` file, where there is one. */
async function checkDigest(file: string): Promise<void> {
  if (!(await exists(file)) || !(await exists(`${file}.sha256`))) return;
  const expected = (await readFile(`${file}.sha256`, 'utf8')).trim().split(/\s+/)[0]!.toLowerCase();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== expected) throw new GenesisFileError(`${file} does not have the digest in ${file}.sha256`);
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
