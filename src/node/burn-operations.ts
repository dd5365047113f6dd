import type { ChainEvent } from '../chain/event.ts';
import type { BurnOperation } from '../chain/transaction.ts';
import { amount, array, bytes, integer, type Json, object, optionalText, text } from './json.ts';

/**
 * The operation of a receipt without Stacks bytes. Releases before 2.1 sent no object: then the sender is read from the
 * events; a rejected stacking operation has no events, so that only its receipt is known.
 */
export function readBurnOperation(receipt: Json, events: ChainEvent[], burnHeight: number): BurnOperation | undefined {
  if (receipt.burnchain_op === null || receipt.burnchain_op === undefined) {
    return operationFromEvents(events, burnHeight);
  }
  const wrapper = object(receipt.burnchain_op, 'burnchain_op');
  const [kind] = Object.keys(wrapper);
  const op = object(wrapper[kind ?? ''], `burnchain_op.${kind}`);
  const sender = () => text(object(op.sender, 'sender'), 'address');
  switch (kind) {
    case 'transfer_stx':
      return {
        kind,
        sender: sender(),
        recipient: text(object(op.recipient, 'recipient'), 'address'),
        amount: amount(op, 'transfered_ustx'),
        memo: bytes(optionalText(op, 'memo') ?? '', 'memo'),
      };
    case 'stack_stx': {
      const signerKey = optionalText(op, 'signer_key');
      return {
        kind,
        sender: sender(),
        amount: amount(op, 'stacked_ustx'),
        cycles: integer(op, 'num_cycles'),
        rewardAddress: text(op, 'reward_addr'),
        ...(signerKey === undefined ? {} : { signerKey: bytes(signerKey, 'signer_key', 33) }),
        ...(op.max_amount === null || op.max_amount === undefined ? {} : { maxAmount: amount(op, 'max_amount') }),
        ...(op.auth_id === null || op.auth_id === undefined ? {} : { authId: amount(op, 'auth_id') }),
      };
    }
    case 'delegate_stx': {
      const until = op.until_burn_height;
      const reward =
        op.reward_addr === null || op.reward_addr === undefined ? undefined : array(op.reward_addr, 'reward_addr')[1];
      return {
        kind,
        sender: sender(),
        delegateTo: text(object(op.delegate_to, 'delegate_to'), 'address'),
        amount: amount(op, 'delegated_ustx'),
        ...(typeof reward === 'string' ? { rewardAddress: reward } : {}),
        ...(until === null || until === undefined ? {} : { untilBurnHeight: amount(op, 'until_burn_height') }),
      };
    }
    case 'vote_for_aggregate_key':
      return {
        kind,
        sender: sender(),
        aggregateKey: bytes(op.aggregate_key, 'aggregate_key', 33),
        signerIndex: integer(op, 'signer_index'),
        round: integer(op, 'round'),
        rewardCycle: amount(op, 'reward_cycle'),
      };
    default:
      return operationFromEvents(events, burnHeight);
  }
}

function operationFromEvents(events: ChainEvent[], burnHeight: number): BurnOperation | undefined {
  for (const event of events) {
    if (event.kind === 'stx_transfer') {
      const { sender, recipient, amount, memo } = event;
      return { kind: 'transfer_stx', sender, recipient, amount, memo };
    }
    if (event.kind === 'stx_lock') {
      const { principal: sender, amount, unlockHeight } = event;
      const cycles = Math.max(0, Math.floor((unlockHeight - burnHeight) / cycleLength(sender)));
      return { kind: 'stack_stx', sender, amount, cycles, rewardAddress: '' };
    }
  }
  return undefined;
}

/** Burn blocks per reward cycle, from the first PoX contract of the network. */
const cycleLength = (address: string) => (/^S[PM]/.test(address) ? 2100 : 1050);
