import { buffer, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { type CallContext, entryKey, fieldsIn, readData, uintArg, type Write } from '../contract-model.ts';

/** Locked STX that are committed to a reward address in a cycle. */
export type RewardSlot = { poxAddress: ClarityValue; signer: Uint8Array; stacker?: string; amount: bigint };

const slotKey = (contract: string, cycle: bigint, index: bigint) =>
  entryKey(contract, 'reward-cycle-pox-address-list', tuple({ index: uint(index), 'reward-cycle': uint(cycle) }));
const countKey = (contract: string, cycle: bigint) =>
  entryKey(contract, 'reward-cycle-pox-address-list-len', tuple({ 'reward-cycle': uint(cycle) }));
const totalKey = (contract: string, cycle: bigint) =>
  entryKey(contract, 'reward-cycle-total-stacked', tuple({ 'reward-cycle': uint(cycle) }));

const fieldOf = (value: ClarityValue | undefined, name: string) => uintArg([fieldsIn(value)?.get(name) ?? none], 0);

/** The number of slots of a cycle. */
export const countSlots = ({ state, contract }: CallContext, cycle: bigint): bigint =>
  fieldOf(readData(state, countKey(contract, cycle)), 'len');

/** Micro-STX that are committed in a cycle. */
export const totalStacked = ({ state, contract }: Pick<CallContext, 'state' | 'contract'>, cycle: bigint): bigint =>
  fieldOf(readData(state, totalKey(contract, cycle)), 'total-ustx');

/** A slot as the contract stores it: `{pox-addr, signer, stacker, total-ustx}`. */
export const slotAt = ({ state, contract }: CallContext, cycle: bigint, index: bigint): ClarityValue | undefined =>
  readData(state, slotKey(contract, cycle, index));

/** Adds a slot in each cycle of a range; `indexes` are the places of the slots in their cycles. */
export function addSlots(context: CallContext, slot: RewardSlot, from: number, to: number) {
  const writes: Write[] = [];
  const indexes: bigint[] = [];
  const { contract } = context;
  const value = tuple({
    'pox-addr': slot.poxAddress,
    signer: buffer(slot.signer),
    stacker: slot.stacker === undefined ? none : some(principal(slot.stacker)),
    'total-ustx': uint(slot.amount),
  });
  for (let cycle = BigInt(from); cycle < to; cycle++) {
    const index = countSlots(context, cycle);
    indexes.push(index);
    writes.push(
      { key: slotKey(contract, cycle, index), value },
      { key: countKey(contract, cycle), value: tuple({ len: uint(index + 1n) }) },
      totalWrite(context, cycle, slot.amount),
    );
  }
  return { writes, indexes };
}

/** The writes that add STX to a slot. */
export function growSlot(context: CallContext, cycle: bigint, index: bigint, by: bigint): Write[] {
  const slot = fieldsIn(slotAt(context, cycle, index));
  if (!slot) return [];
  const grown = { ...Object.fromEntries(slot), 'total-ustx': uint(uintArg([slot.get('total-ustx')!], 0) + by) };
  return [{ key: slotKey(context.contract, cycle, index), value: tuple(grown) }, totalWrite(context, cycle, by)];
}

const totalWrite = (context: CallContext, cycle: bigint, by: bigint): Write => ({
  key: totalKey(context.contract, cycle),
  value: tuple({ 'total-ustx': uint(totalStacked(context, cycle) + by) }),
});
