import type { BuiltBlock } from '../chain/built-block.ts';
import type { Executed } from '../chain/executed.ts';
import type { BlockContext } from '../chain/execution.ts';
import { type AdmissionRules, admit, isRejection, type Rejection, rejecter } from './admission.ts';
import { isMinable, runSubmission } from './submission.ts';

/** A transaction as a block on top of `parent` would execute it. */
export type SimulatedTransaction = { executed: Executed; parent: BuiltBlock; height: number };

/** Executes a transaction on a copy of the state of a block. */
export function simulateTransaction(
  bytes: Uint8Array,
  parent: BuiltBlock,
  where: Omit<BlockContext, 'height' | 'burnHeight'>,
  rules: AdmissionRules,
): SimulatedTransaction | Rejection {
  const height = parent.height + 1;
  const state = parent.state.clone();
  state.unlock(parent.burn.height);
  const admitted = admit(bytes, state, { ...rules, anyFee: true });
  if (isRejection(admitted)) return admitted;
  // A mempool takes a nonce that is ahead, a block does not.
  if (!isMinable(admitted, state)) return rejecter(admitted.txId.slice(2))('BadNonce');
  const { payload, postConditions } = admitted.transaction;
  if (payload.type === 'token_transfer' && postConditions.length > 0) {
    return rejecter(admitted.txId.slice(2))('TokenTransferWithPostConditions');
  }
  return {
    executed: runSubmission(admitted, state, { ...where, height, burnHeight: parent.burn.height }),
    parent,
    height,
  };
}
