import { createHash } from 'node:crypto';
import { bitcoinToStacksAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { CodecError } from '@cairn-stacks/codec/error';

/**
 * A record of a zonefile. Our own reader because the libraries that know URI and TXT records are archived or unmaintained,
 * split text by regular expressions that quotes and parentheses break, and throw on what strangers may write.
 */
export type ZoneRecord = { name: string; type: string; data: string[] };

/** A subdomain as a TXT record of its parent's zonefile defines it. */
export type ZoneSubdomain = {
  label: string;
  owner: string;
  sequence: number;
  zonefile: Uint8Array;
  /** Last 16 bytes of SHA-256 of the zonefile. */
  zonefileHash: Uint8Array;
};

export type Zone = { resolver: string; subdomains: ZoneSubdomain[] };

const classes = new Set(['IN', 'CH', 'CS', 'HS']);
const maxRecords = 10_000;

/** Reads the valid records of a zonefile; a broken record ends at its line, unless a parenthesis is open. */
export function parseZonefile(text: string): ZoneRecord[] {
  const records: ZoneRecord[] = [];
  let last = '@';
  for (const { fields, indented } of entriesOf(text)) {
    if (records.length >= maxRecords) break;
    if (fields[0]?.startsWith('$')) continue;
    const [name, ...rest] = indented ? [last, ...fields] : fields;
    while (rest.length > 0 && (/^\d+[smhdw]?$/i.test(rest[0]!) || classes.has(rest[0]!.toUpperCase()))) rest.shift();
    const [type, ...data] = rest;
    if (name === undefined || type === undefined) continue;
    last = name;
    records.push({ name, type: type.toUpperCase(), data });
  }
  return records;
}

type Entry = { fields: string[]; indented: boolean };

/** Lines as lists of words (RFC 1035, section 5.1): quotes join a word, parentheses join lines, `;` ends one. */
function* entriesOf(text: string): Generator<Entry> {
  const next = /"((?:[^"\\\n]|\\.)*)"|;[^\n]*|([()\n])|([^\S\n]+)|([^\s"();]+|")/gy;
  let fields: string[] = [];
  let indented = false;
  let depth = 0;
  let fresh = true;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const [, quoted, mark, space, word] = match;
    if (mark === '\n' && depth === 0) {
      if (fields.length > 0) yield { fields, indented };
      fields = [];
      indented = false;
      fresh = true;
      continue;
    }
    if (mark === '(') depth++;
    else if (mark === ')') depth = Math.max(0, depth - 1);
    else if (space !== undefined && fresh) indented = true;
    else if (quoted !== undefined) fields.push(quoted.replace(/\\(.)/gs, '$1'));
    else if (word !== undefined) fields.push(word);
    fresh = false;
  }
  if (fields.length > 0) yield { fields, indented };
}

/** The resolver and the subdomains that a zonefile names. */
export function readZone(content: Uint8Array): Zone {
  const records = parseZonefile(zonefileText(content));
  const resolver = records.find(r => r.type === 'URI' && r.name.includes('resolver'))?.data[2] ?? '';
  const subdomains = records.flatMap(record => (record.type === 'TXT' ? (subdomainOf(record) ?? []) : []));
  // Of two records of one label the later counts, as it does of two zonefiles.
  return { resolver, subdomains: [...new Map(subdomains.map(each => [each.label, each])).values()] };
}

function subdomainOf({ name, data }: ZoneRecord): ZoneSubdomain | undefined {
  let owner: string | undefined;
  let sequence = 0;
  const parts: string[] = [];
  for (const word of data) {
    const [, key, value] = /^(owner|seqn|zf\d+)=(.*)$/s.exec(word) ?? [];
    if (key === 'owner') owner = value;
    else if (key === 'seqn') sequence = Math.min(Number(value) || 0, 2_147_483_647);
    else if (key !== undefined) parts.push(value!);
  }
  if (!owner || owner.length > 170 || name.length > 128 || !/^[\x21-\x7e]+$/.test(name + owner)) return undefined;
  const zonefile = Buffer.from(parts.join(''), 'base64');
  return { label: name, owner: stacksOwner(owner), sequence, zonefile, zonefileHash: subdomainHash(zonefile) };
}

/** Last 16 bytes of SHA-256, as the ecosystem names zonefiles of subdomains. */
export const subdomainHash = (zonefile: Uint8Array): Uint8Array =>
  createHash('sha256').update(zonefile).digest().subarray(16);

/** Owners of Stacks 1.0 have Bitcoin addresses; the Stacks address of the same key owns the name now. */
export function stacksOwner(text: string): string {
  try {
    return bitcoinToStacksAddress(text);
  } catch (error) {
    if (error instanceof CodecError) return text;
    throw error;
  }
}

/** Bytes of a zonefile as text; NUL is removed. */
export const zonefileText = (content: Uint8Array): string => Buffer.from(content).toString('utf8').replaceAll('\0', '');
