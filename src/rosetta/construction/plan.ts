import type { PoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { buffer, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Network } from '@cairn-stacks/codec/network';
import { buildTransaction, callPayload, singleSig, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { SpendingCondition } from '@cairn-stacks/codec/transaction/spending-condition';
import { encodeTransaction, type Transaction } from '@cairn-stacks/codec/transaction/transaction';
import { transactionVersion } from './address.ts';

/** The signer arguments of pox-4. */
export type SignerTerms = { key: Uint8Array; signature?: Uint8Array | undefined; maxAmount: bigint; authId: bigint };

/** A complete description of a transaction. */
export type Plan =
  | { type: 'token_transfer'; recipient: string; amount: bigint; memo?: string | undefined }
  | {
      type: 'stack_stx';
      contract: string;
      amount: bigint;
      poxAddress: PoxAddress;
      burnHeight: number;
      cycles: number;
      /** Only from pox-4 on. */
      signer?: SignerTerms;
    }
  | {
      type: 'delegate_stx';
      contract: string;
      amount: bigint;
      delegateTo: string;
      untilHeight?: number | undefined;
      poxAddress?: PoxAddress | undefined;
    };

/** The payload of a plan. */
export function payloadOf(plan: Plan): Payload {
  switch (plan.type) {
    case 'token_transfer':
      return transferPayload(plan.recipient, plan.amount, plan.memo);
    case 'stack_stx':
      return callPayload(plan.contract, 'stack-stx', [
        uint(plan.amount),
        poxAddressTuple(plan.poxAddress),
        uint(plan.burnHeight),
        uint(plan.cycles),
        ...(plan.signer ? signerArguments(plan.signer) : []),
      ]);
    case 'delegate_stx':
      return callPayload(plan.contract, 'delegate-stx', [
        uint(plan.amount),
        principal(plan.delegateTo),
        plan.untilHeight === undefined ? none : some(uint(plan.untilHeight)),
        plan.poxAddress === undefined ? none : some(poxAddressTuple(plan.poxAddress)),
      ]);
  }
}

/** The last arguments of a call of pox-4. */
export function signerArguments({ key, signature, maxAmount, authId }: SignerTerms): ClarityValue[] {
  return [signature === undefined ? none : some(buffer(signature)), buffer(key), uint(maxAmount), uint(authId)];
}

/** A reward address as a contract argument. */
export function poxAddressTuple({ version, hash }: PoxAddress): ClarityValue {
  return tuple({ version: buffer(Uint8Array.of(version)), hashbytes: buffer(hash) });
}

/** A transaction without its signers: what it does, and what it may move. */
export type Content = Pick<Transaction, 'payload'> & Partial<Pick<Transaction, 'postConditionMode' | 'postConditions'>>;

/** The unsigned transaction of an account. */
export function unsignedTransaction(content: Content, origin: SpendingCondition, network: Network): Transaction {
  return buildTransaction({
    version: transactionVersion(network),
    chainId: network.chainId,
    origin,
    ...content,
  });
}

const anyKey = new Uint8Array(33);

/** The size of the transaction in bytes, which does not depend on key, nonce and fee; by default it has one signer. */
export function sizeOf(content: Content, network: Network, origin?: SpendingCondition): number {
  const signer = origin ?? singleSig(anyKey, { nonce: 0n, fee: 0n });
  return encodeTransaction(unsignedTransaction(content, signer, network)).length;
}
