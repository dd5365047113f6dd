import type { Network } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { Static, TObject } from 'typebox';

/** What an act knows in addition to its terms. */
export type ActParts = {
  /** Without its sign; 0 where the operation has none. */
  amount: bigint;
  network: Network;
  /** The active stacking contract; before the chain is read, a placeholder of the same length. */
  contract: string;
  burnHeight: number;
};

/** A transaction that one operation describes, and how the metadata of that operation becomes its payload. */
export type Act = {
  /** The type of the operation. */
  type: string;
  /** The metadata of the operation, post-conditions aside. */
  terms: TObject;
  /** Whether the operation has an amount; it leaves the spendable balance, so it is negative. */
  amount: 'required' | 'optional' | 'none';
  /** The versions of the stacking contract that have the function; undefined where no such contract is called. */
  versions?: { first: number; last: number };
  /** What the signer of pox-4 consents to; undefined where no consent is needed. */
  consent?: 'stack-extend' | 'stack-increase';
  payload(terms: never, parts: ActParts): Payload;
};

/** Declares an act whose payload is typed by its terms. */
export function act<T extends TObject>(
  declared: Omit<Act, 'terms' | 'payload'> & { terms: T; payload(terms: Static<T>, parts: ActParts): Payload },
): Act {
  return declared;
}
