import type { MempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import { principalPart, stxPart, words } from './asset-words.ts';
import { netMovements } from './net-movements.ts';
import type { SummaryPart } from './summary-schema.ts';
import type { Transaction } from './transaction-schema.ts';

/** More assets than these are counted. */
const MAX_NAMED = 3;

/** What a transaction did, or is meant to do, in one sentence. */
export function summarize(tx: Transaction | MempoolTransaction): SummaryPart[] {
  const sender = principalPart(tx.sender_address);
  if (!('tx_result' in tx)) {
    const dropped = tx.tx_status !== 'pending';
    return [
      sender,
      words(dropped ? ' wanted to ' : ' wants to '),
      ...intention(tx),
      words(dropped ? ', but the nodes dropped it; no fee was paid.' : '; it waits for a block and offers a fee of '),
      ...(dropped ? [] : [stxPart(BigInt(tx.fee_rate)), words('.')]),
    ];
  }
  if (tx.tx_type === 'coinbase' || tx.tx_type === 'tenure_change')
    return [words('The miner '), sender, ...minerAction(tx), words('.')];
  if (tx.tx_status === 'success') return [sender, words(' '), ...deed(tx), ...feeOf(tx), words('.')];
  return [sender, words(' tried to '), ...intention(tx), words(`, but ${failureOf(tx)}`), ...feeOf(tx), words('.')];
}

/** A verb in its plain form, and its objects. */
function intention(tx: Transaction | MempoolTransaction): SummaryPart[] {
  switch (tx.tx_type) {
    case 'token_transfer': {
      const { amount, recipient_address: recipient } = tx.token_transfer;
      return [words('send '), stxPart(BigInt(amount)), words(' to '), principalPart(recipient)];
    }
    case 'contract_call':
      return [words(`call ${tx.contract_call.function_name} of `), principalPart(tx.contract_call.contract_id)];
    case 'smart_contract':
      return [words('deploy the contract '), principalPart(tx.smart_contract.contract_id)];
    case 'poison_microblock':
      return [words('report a miner that signed two versions of a microblock')];
    default:
      return [words('send a transaction of a type that this version does not know')];
  }
}

/** What a successful transaction did, in the past. */
function deed(tx: Transaction): SummaryPart[] {
  if (tx.tx_type === 'contract_call') return call(tx);
  const [verb, ...objects] = intention(tx);
  const past = verb!.text.replace(/^(send|deploy|report)/, word => pasts[word]!);
  return [words(past), ...objects];
}

const pasts: Readonly<Record<string, string>> = { send: 'sent', deploy: 'deployed', report: 'reported' };

function call(tx: Transaction & { tx_type: 'contract_call' }): SummaryPart[] {
  const { contract_id: contract, function_name: name } = tx.contract_call;
  const by = [words(` by calling ${name} of `), principalPart(contract)];
  const lock = tx.events.find(event => event.event_type === 'stx_lock');
  if (lock?.event_type === 'stx_lock') {
    const { locked_amount, locked_address, unlock_height } = lock.stx_lock_event;
    const owner = locked_address === tx.sender_address ? [] : [words(' of '), principalPart(locked_address)];
    const until = words(` until Bitcoin block ${unlock_height.toLocaleString('en-US')}`);
    return [words('locked '), stxPart(BigInt(locked_amount)), ...owner, until, ...by];
  }
  const { lost, gained, recipients } = netMovements(tx.events, tx.sender_address);
  if (lost.length > 0 && gained.length > 0)
    return [
      words('swapped '),
      ...listed(lost),
      words(' for '),
      ...listed(gained),
      words(' on '),
      principalPart(contract),
    ];
  if (gained.length > 0) return [words('received '), ...listed(gained), ...by];
  if (lost.length === 0) return [words(`called ${name} of `), principalPart(contract)];
  const [recipient] = recipients;
  const to = recipients.length === 1 ? [words(' to '), principalPart(recipient!)] : [];
  if (recipients.length === 0) return [words('burned '), ...listed(lost), ...by];
  return [words('sent '), ...listed(lost), ...to, ...by];
}

function listed(parts: SummaryPart[]): SummaryPart[] {
  const named = parts.slice(0, MAX_NAMED).flatMap((part, index) => (index === 0 ? [part] : [words(', '), part]));
  const more = parts.length - MAX_NAMED;
  return more > 0 ? [...named, words(` and ${more} more`)] : named;
}

function minerAction(tx: Transaction & { tx_type: 'coinbase' | 'tenure_change' }): SummaryPart[] {
  if (tx.tx_type === 'coinbase') {
    const recipient = tx.coinbase_payload.alt_recipient;
    const to = recipient === null ? [] : [words(' for '), principalPart(recipient)];
    return [words(' claimed the reward of the block'), ...to];
  }
  const began = tx.tenure_change_payload.cause === 'block_found';
  return [
    words(began ? ' began its tenure: its turn to make blocks' : ' extended its tenure: its turn to make blocks'),
  ];
}

function failureOf({ tx_type, tx_status, tx_result }: Transaction): string {
  if (tx_type === 'smart_contract') return 'the contract does not work, so it was not deployed';
  if (tx_status === 'abort_by_post_condition')
    return 'it would have moved assets that the sender did not allow, so all of it was undone';
  // Other errors may be any text, which the sentence must not repeat.
  const [, code] = /^\(err (u?\d{1,39})\)$/.exec(tx_result.repr) ?? [];
  return `the contract refused${code === undefined ? '' : ` with error ${code}`}, so all of it was undone`;
}

function feeOf(tx: Transaction): SummaryPart[] {
  if (tx.fee_rate === '0') return [];
  const payer = tx.sponsor_address === undefined ? [] : [words(', paid by '), principalPart(tx.sponsor_address)];
  return [words('; the fee was '), stxPart(BigInt(tx.fee_rate)), ...payer];
}
