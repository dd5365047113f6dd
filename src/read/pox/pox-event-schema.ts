import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { type Static, Type } from 'typebox';
import { type PoxCall, type PoxPrint, packPoxAddress, readPoxPrint } from '../../chain/pox/print.ts';
import { principalOf, uintOf } from '../../chain/print-fields.ts';
import type { PoxEventRow } from './events-queries.ts';
import { bitcoinAddress } from './pox-address-schema.ts';

export const PoxEvent = Type.Object(
  {
    block_height: Type.Integer({ description: 'Height of the block.' }),
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    tx_index: Type.Integer({ description: 'Index of the transaction in the block.' }),
    event_index: Type.Integer({ description: 'Index of the event in the transaction.' }),
    stacker: Type.String({ description: 'Principal that stacks, or the pool for its aggregation commits.' }),
    locked: Type.String({ description: 'Locked micro-STX after the call.' }),
    balance: Type.String({ description: 'Unlocked micro-STX after the call.' }),
    burnchain_unlock_height: Type.String({ description: 'Height of the burn block at which the lock ends.' }),
    pox_addr: Type.Union([Type.String(), Type.Null()], {
      description: 'Bitcoin reward address; null if there is none.',
    }),
    pox_addr_raw: Type.Union([Type.String(), Type.Null()], {
      description: 'Version byte and hash of the reward address in hex; null if there is none.',
    }),
    name: Type.String({ description: 'Name of the called function.' }),
    data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
      description: 'Arguments of the call. All numbers are text.',
    }),
  },
  { title: 'PoxEvent' },
);
export type PoxEvent = Static<typeof PoxEvent>;

/** The keys of `data` by call, as the contracts spell them. */
const keys: Record<PoxCall, readonly string[]> = {
  'handle-unlock': ['first-cycle-locked', 'first-unlocked-cycle'],
  'stack-stx': ['lock-amount', 'lock-period', 'start-burn-height', 'unlock-burn-height', 'signer-key'],
  'stack-increase': ['increase-by', 'total-locked', 'signer-key'],
  'stack-extend': ['extend-count', 'unlock-burn-height', 'signer-key'],
  'delegate-stx': ['amount-ustx', 'delegate-to', 'unlock-burn-height'],
  'delegate-stack-stx': ['lock-amount', 'unlock-burn-height', 'start-burn-height', 'lock-period', 'delegator'],
  'delegate-stack-increase': ['increase-by', 'total-locked', 'delegator'],
  'delegate-stack-extend': ['unlock-burn-height', 'extend-count', 'delegator'],
  'stack-aggregation-commit': ['reward-cycle', 'amount-ustx', 'signer-key'],
  'stack-aggregation-commit-indexed': ['reward-cycle', 'amount-ustx', 'signer-key'],
  'stack-aggregation-increase': ['reward-cycle', 'amount-ustx'],
  'revoke-delegate-stx': ['delegate-to'],
};

/** The one place where a call of a PoX contract becomes a response; undefined for a print that cannot be read. */
export function renderPoxEvent(row: PoxEventRow, network: Network): PoxEvent | undefined {
  const print = readPoxPrint(row.value);
  if (!print) return undefined;
  return {
    block_height: row.height,
    tx_id: toHex(row.tx_id),
    tx_index: row.tx_index,
    event_index: row.event_index,
    stacker: print.stacker,
    locked: String(print.locked),
    balance: String(print.balance),
    burnchain_unlock_height: String(print.unlockHeight),
    pox_addr: bitcoinAddress(print.address, network),
    pox_addr_raw: print.address ? toHex(packPoxAddress(print.address)) : null,
    name: print.name,
    data: renderData(print, row.version),
  };
}

function renderData(print: PoxPrint, version: number): PoxEvent['data'] {
  const data: PoxEvent['data'] = {};
  for (const key of keys[print.name]) {
    const value = print.data.get(key);
    if (key === 'signer-key') {
      if (version >= 4) data.signer_key = print.signerKey ? toHex(print.signerKey) : null;
      continue;
    }
    const text = principalOf(value) ?? uintOf(value)?.toString();
    if (text !== undefined) data[key.replaceAll('-', '_')] = text;
  }
  if (print.name === 'handle-unlock') return data;
  for (const key of ['start-cycle-id', 'end-cycle-id']) {
    const cycle = version >= 4 ? uintOf(print.data.get(key)) : undefined;
    data[key.replaceAll('-', '_')] = cycle === undefined ? null : String(cycle);
  }
  return data;
}
