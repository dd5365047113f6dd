import { toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { poxVersion } from '../../chain/pox/contract.ts';
import { readPoxPrint } from '../../chain/pox/print.ts';
import { boolOf, bytesOf, type Fields, principalOf, printedFields, textOf, uintOf } from '../../chain/print-fields.ts';
import { bitcoinAddress } from '../../read/pox/pox-address-schema.ts';
import type { OperationType } from './operation-types.ts';

/** What a print of a PoX contract says that an account did. It moves nothing: the lock after it has the amount. */
export type PrintedAct = { type: OperationType; account: string; metadata: Record<string, unknown> };

/** Topics of pox-5 that change the position of a staker. */
const STAKING = {
  stake: 'stake',
  'stake-update': 'stake_update',
  unstake: 'unstake',
  'register-for-bond': 'register_for_bond',
} as const;

/** Reads a print; undefined for one of another contract, or about something else. */
export function printedAct(contract: string, value: Uint8Array, network: Network): PrintedAct | undefined {
  const version = poxVersion(contract);
  if (version === 0) return undefined;
  return version < 5 ? stackingAct(value, network) : stakingAct(value);
}

function stackingAct(value: Uint8Array, network: Network): PrintedAct | undefined {
  const print = readPoxPrint(value);
  if (!print) return undefined;
  const pox_addr = bitcoinAddress(print.address, network);
  return {
    type: print.name.replaceAll('-', '_') as OperationType,
    account: print.stacker,
    metadata: {
      locked: String(print.locked),
      balance: String(print.balance),
      burnchain_unlock_height: numberOf(print.unlockHeight),
      ...(pox_addr !== null && { pox_addr }),
      ...metadataOf(print.data, ['pox-addr', 'signer-sig']),
    },
  };
}

function stakingAct(value: Uint8Array): PrintedAct | undefined {
  const fields = printedFields(value);
  const topic = textOf(fields?.get('topic'));
  const account = principalOf(fields?.get('staker'));
  if (!fields || account === undefined || topic === undefined || !Object.hasOwn(STAKING, topic)) return undefined;
  const type = STAKING[topic as keyof typeof STAKING];
  return { type, account, metadata: metadataOf(fields, ['topic', 'staker', 'btc-lockup']) };
}

/** Fields that are amounts, and so texts. */
const AMOUNT = /(^|-)(amount|locked|sats|increase-by)(-|$)/;

function metadataOf(fields: Fields, without: readonly string[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    if (without.includes(name)) continue;
    const number = uintOf(value);
    const bytes = bytesOf(value);
    const shown =
      number === undefined
        ? (principalOf(value) ?? boolOf(value) ?? (bytes && toHex(bytes)))
        : AMOUNT.test(name) && !name.includes('cycle')
          ? String(number)
          : numberOf(number);
    if (shown !== undefined) metadata[name.replaceAll('-', '_')] = shown;
  }
  return metadata;
}

/** Callers choose some heights freely, up to 128 bits: those that JSON cannot hold are texts. */
export const numberOf = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
