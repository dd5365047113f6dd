import { columnOf, fieldsOf, principalOf, printedFields, textOf, uintOf } from '../print-fields.ts';

/** What a signer manager printed about a staker or itself, as far as the print says it. */
export type SignerManagerPrint = {
  topic: string;
  staker: string | undefined;
  cycle: number | undefined;
  bond: number | undefined;
  sats: bigint | undefined;
  /** Whether the satoshis are before the fee of the manager, or after it. */
  basis: 'gross' | 'net' | undefined;
  /** Number of the withdrawal of sBTC by which a staker is paid on Bitcoin. */
  request: number | undefined;
};

/** Topics that reference contracts print about rewards: whether their amounts are before the fee. */
const bases: Readonly<Record<string, 'gross' | 'net'>> = {
  'claim-staker-rewards': 'net',
  'settle-staker-rewards': 'gross',
  payout: 'net',
  'reclaim-failed-withdrawal': 'net',
};

/** Reads a print of a signer manager; undefined if it is not a tuple with a topic. Any contract may be a manager, so nothing is certain. */
export function readSignerManagerPrint(value: Uint8Array): SignerManagerPrint | undefined {
  const fields = printedFields(value);
  const topic = textOf(fields?.get('topic'));
  if (!fields || topic === undefined) return undefined;
  const withdrawal = fieldsOf(fields.get('l1-withdrawal'));
  const column = (name: string) => {
    const number = uintOf(fields.get(name));
    return number === undefined || number < 0n ? undefined : columnOf(number);
  };
  const inner = uintOf(withdrawal.get('withdrawal-request'));
  const sats = uintOf(fields.get('amount-sats')) ?? uintOf(fields.get('liability-released'));
  return {
    topic,
    staker: principalOf(fields.get('staker')),
    cycle: column('reward-cycle'),
    bond: column('bond-index'),
    sats,
    basis: sats === undefined || !Object.hasOwn(bases, topic) ? undefined : bases[topic],
    request:
      column('request-id') ??
      column('withdrawal-request') ??
      (inner === undefined || inner < 0n ? undefined : columnOf(inner)),
  };
}
