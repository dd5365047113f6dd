import { c32Alphabet } from '@cairn-stacks/codec/address/c32';
import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';

/** What a term of a search may be; each that is set is looked for. */
export type SearchTerm = {
  /** Hex digits without 0x. */
  digits?: string;
  height?: number;
  /** The beginning of an address. */
  address?: string;
  /** Contracts and tokens of an account, by the beginnings of their names. */
  owned?: { owner: Uint8Array; contract: string; asset: string };
  /** A part of the name of a contract or a token. */
  part?: string;
};

const c32 = new RegExp(`^S[${c32Alphabet}]{5,40}$`);
const fullHash = /^(0x)?[0-9a-f]{64}$/i;
const namePart = /^[a-zA-Z0-9_!?+<>=/*:-]{3,}$/;
const MAX_HEIGHT = 2_147_483_647;

/** The classes that a term fits; undefined where it fits none. */
export function readSearchTerm(text: string): SearchTerm | undefined {
  const term = text.trim();
  const found: SearchTerm = {};
  const hex = /^(?:0x)?([0-9a-f]{8,64})$/i.exec(term)?.[1];
  if (hex !== undefined) found.digits = hex.toLowerCase();
  if (/^[0-9]+$/.test(term) && Number(term) <= MAX_HEIGHT) found.height = Number(term);
  if (c32.test(term.toUpperCase())) found.address = term.toUpperCase();
  if (!fullHash.test(term)) {
    const dot = term.indexOf('.');
    if (dot >= 0) {
      const owner = term.slice(0, dot).toUpperCase();
      const [contract = '', asset = ''] = term.slice(dot + 1).split('::');
      if (isPrincipal(owner)) found.owned = { owner: principalToBytes(owner), contract, asset };
    } else if (namePart.test(term)) found.part = term;
  }
  return Object.keys(found).length === 0 && !/^S[0-9A-Z]*\./i.test(term) ? undefined : found;
}
