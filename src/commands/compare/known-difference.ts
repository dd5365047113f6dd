import type { Difference } from './difference.ts';
import { at } from './subject.ts';

/** The two bodies that contain a difference. */
export type Bodies = { here: unknown; there: unknown };

/** An intended difference of docs/differences.md, in a form that can be recognised. */
export type KnownDifference = {
  reason: string;
  routes: RegExp;
  fields: RegExp;
  /** True if a difference is this departure; if absent, the field decides. */
  holds?: (difference: Difference, bodies: Bodies) => boolean;
};

const count = (body: unknown, key: string) => Number(at(body, key) ?? Number.NaN);
const rows = (body: unknown, ...keys: string[]): readonly unknown[] => {
  const list = keys.length > 0 ? at(body, ...keys) : body;
  return Array.isArray(list) ? list : [];
};
const holdsAll = (more: readonly unknown[], less: readonly unknown[]) => {
  const known = new Set(more);
  return more.length > less.length && less.every(item => known.has(item));
};

const LIST_OF_NAMES = /^\/v1\/(names$|namespaces|addresses\/)/;

/** The differences of docs/differences.md that responses can show. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  { reason: '`server_version` names another program', routes: /^\/extended$/, fields: /^server_version$/ },
  {
    reason: 'deposits are listed once, not twice',
    routes: /\/stx_inbound$/,
    fields: /^(total|results\b)/,
    holds: (_, { here, there }) => count(there, 'total') > count(here, 'total'),
  },
  {
    reason: 'lock events show the locked amount and the unlock height, not 1',
    routes: /\/address\/\{principal\}\/assets$/,
    fields: /stx_lock_event\.(locked_amount|unlock_height)$/,
    holds: ({ there }) => String(there) === '1',
  },
  {
    reason: 'the limit of the page is observed',
    routes: /\/transactions_with_transfers$/,
    fields: /^results\b/,
    holds: (_, { there }) => rows(there, 'results').length > count(there, 'limit'),
  },
  {
    reason: 'all microblocks are counted',
    routes: /\/microblock$/,
    fields: /^total$/,
    holds: ({ here, there }) => Number(here) > Number(there),
  },
  {
    reason: 'filtered totals are counted up to 100,000',
    routes: /^\/extended\/v1\/tx$/,
    fields: /^total$/,
    holds: ({ here, there }) => here === 100_000 && Number(there) > 100_000,
  },
  {
    reason: 'stackers of a signer are those that decided on the cycle',
    routes: /\/pox\/cycles\/\{cycle_number\}\/signers/,
    fields: /(solo|pooled)_stacker_count$/,
  },
  {
    reason: 'stackers of a signer are those that decided on the cycle',
    routes: /\/signers\/\{signer_key\}\/stackers$/,
    fields: /./,
  },
  {
    reason: '`first_cycle_locked` of handle-unlock is the printed value',
    routes: /\{pox\}/,
    fields: /first_cycle_locked$/,
  },
  {
    reason: 'a field that came after 9.0: `CAIRN_COMPAT=9.3` shows it',
    routes: /^\/extended\/v3\//,
    fields: /(^|\.)(\w*time|\w+_iso|enrollment_cutoff|rewards)$/,
    holds: ({ here, there }) => here === undefined || there === undefined,
  },
  {
    reason: 'cursors of block 0 begin with `0:`',
    routes: /^\/extended\/v3\//,
    fields: /^cursor\./,
    holds: ({ here }) => typeof here === 'string' && here.startsWith('0:'),
  },
  {
    reason: '`paid_out` of a bond is what was distributed',
    routes: /\/staking\/bonds/,
    fields: /(^|\.)paid_out\.\w+$/,
    holds: ({ there }) => there === '0',
  },
  {
    reason: 'cursors of allowlists and registrations have a fourth number',
    routes: /\/(allowlist|registrations)$/,
    fields: /^cursor\./,
  },
  {
    reason: 'version 9 adds cursors',
    routes: /^\/extended\/v2\/addresses\/\{address\}\/transactions$/,
    fields: /^(cursor|next_cursor|prev_cursor)$/,
    holds: ({ here, there }) => here === undefined || there === undefined,
  },
  {
    reason: 'lists also contain names of BNS-V2',
    routes: LIST_OF_NAMES,
    fields: /./,
    holds: (_, { here, there }) =>
      holdsAll(rows(here), rows(there)) ||
      ['names', 'namespaces'].some(key => holdsAll(rows(here, key), rows(there, key))),
  },
  {
    reason: 'lists also contain names of BNS-V2',
    routes: /^\/v1\/names\/\{name\}/,
    fields: /^status code$/,
    holds: ({ here, there }) => here === 200 && there === 404,
  },
  {
    reason: 'the lease of a name begins with its registration, renewal or launch',
    routes: /^\/v1\/names\/\{name\}$/,
    fields: /^expire_block$/,
  },
  {
    reason: 'an imported name belongs to whom its NFT was minted to',
    routes: /^\/v1\/names\/\{name\}$/,
    fields: /^address$/,
    holds: (_, { here }) => at(here, 'status') === 'name-import',
  },
];

/** Lists of the incumbent without a defined order, or without one among equal rows. */
export const WITHOUT_ORDER: readonly { reason: string; routes: RegExp }[] = [
  { reason: 'lists of an account have no fixed order there', routes: /\/address\/\{principal\}\/transactions$/ },
  { reason: 'holders of equal balances have no fixed order there', routes: /\/holders$/ },
  { reason: 'NFT of one block have no fixed order there', routes: /\/tokens\/nft\// },
  {
    reason: 'blocks 0 and 1 number their transactions alike',
    routes: /\/tx\/block|\/blocks\/\{height_or_hash\}\/transactions$/,
  },
];

/** The reason of an expected difference; undefined if it is unexpected. */
export const findKnownDifference = (route: string, difference: Difference, bodies: Bodies): string | undefined =>
  KNOWN_DIFFERENCES.find(
    ({ routes, fields, holds }) =>
      routes.test(route) && fields.test(difference.field) && (holds?.(difference, bodies) ?? true),
  )?.reason;
