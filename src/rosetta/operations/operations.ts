import type { ClarityJson } from '@cairn-stacks/codec/clarity/json';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { memoText } from '../../chain/memo.ts';
import type { Movement } from '../../read/events/event-schema.ts';
import type { SignedFields } from '../../read/transactions/signed-transaction-schema.ts';
import type { PayloadFields } from '../../read/transactions/transaction-payload-schema.ts';
import type { RosettaOperation, RosettaTransaction } from '../schemas/rosetta.ts';
import { type Part, partIdentifier } from '../transaction-parts.ts';
import type { Token } from './currency.ts';
import { bulkMemos } from './memo.ts';
import { OperationList } from './operation-list.ts';
import { isKnownStatus } from './operation-types.ts';
import { callMetadata, poxMetadata, poxOperationType } from './pox-operations.ts';
import { numberOf, type PrintedAct } from './pox-prints.ts';

/** A transaction in the format of the API: mined, pending or under construction. */
export type OperationSource = Pick<SignedFields, 'tx_id' | 'fee_rate' | 'sender_address' | 'sponsor_address'> &
  PayloadFields & {
    /** Empty for a transaction under construction. */
    tx_status: string;
    /** Its Clarity value; absent before its execution. */
    result?: Uint8Array | undefined;
  };

/** The effects of a transaction, in the order of its events. */
export type Fact =
  | { kind: 'transfer'; sender: string; recipient: string; amount: bigint; memo: Uint8Array }
  | { kind: 'mint'; recipient: string; amount: bigint }
  | { kind: 'burn'; sender: string; amount: bigint }
  /** `change` is the increase of the locked amount; `locked` is the total. */
  | { kind: 'lock'; account: string; contract: string; locked: bigint; unlockHeight: string; change: bigint }
  /** A lock that ended early completely. */
  | { kind: 'release'; account: string; change: bigint }
  | { kind: 'token'; movement: Movement; token: Token; sender: string; recipient: string; amount: bigint }
  | { kind: 'log'; contract: string; value: ClarityJson & { type: string }; act: PrintedAct | undefined };

/** Credits of a block without a transaction of their own; they are shown with the coinbase. */
export type BlockCredits = {
  rewards: { recipient: string; amount: bigint }[];
  /** Increase of the spendable amount; negative if a fork of the burn chain locked it again. */
  unlocks: { account: string; amount: bigint }[];
};

export type OperationContext = {
  network: Network;
  /** Follows the incumbent where it differs from the actual effects. */
  compat: boolean;
  facts?: readonly Fact[];
  /** Which part of its facts these are. Default: all of them. */
  part?: Pick<Part, 'number' | 'count'> | undefined;
  credits?: BlockCredits | undefined;
};

const SUCCESS = 'success';

/** The only place where a transaction becomes operations. Their amounts add up to the spendable balances. */
export function operationsOf(source: OperationSource, context: OperationContext): RosettaOperation[] {
  const { compat, facts = [], part = onlyPart } = context;
  const list = new OperationList(partIdentifier(source.tx_id, part.number));
  const status = statusOf(source.tx_status, compat);
  if (part.number === 1) {
    addFee(list, source, status, compat);
    addPayload(list, source, status, context);
    if (context.credits) addCredits(list, source.tx_id, context.credits);
  }
  addFacts(list, source, facts, status, compat);
  return list.operations;
}

const onlyPart = { number: 1, count: 1 };

/** With its memo, if it has one, and with the number of its parts, if it has several. */
export function transactionOf(source: OperationSource, context: OperationContext): RosettaTransaction {
  const memo = source.tx_type === 'token_transfer' ? memoText(fromHex(source.token_transfer.memo)) : null;
  const { number, count } = context.part ?? onlyPart;
  const metadata = { ...(memo !== null && { memo }), ...(count > 1 && { part: number, parts: count }) };
  return {
    transaction_identifier: { hash: partIdentifier(source.tx_id, number) },
    operations: operationsOf(source, context),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** The credits of a block without a coinbase: a transaction with the hash of the block. */
export function creditsTransaction(blockHash: string, credits: BlockCredits): RosettaTransaction {
  const list = new OperationList(blockHash);
  addCredits(list, undefined, credits);
  return { transaction_identifier: { hash: blockHash }, operations: list.operations };
}

export const isEmpty = ({ rewards, unlocks }: BlockCredits) => rewards.length === 0 && unlocks.length === 0;

/** Statuses of future releases are not in the list that clients read first. */
const statusOf = (status: string, compat: boolean) => (compat || isKnownStatus(status) ? status : 'unknown');

/** Transaction types without a fee in the incumbent. */
const FREE = new Set(['coinbase', 'poison_microblock', 'tenure_change']);

/** The fee is always paid, by the sponsor if there is one. */
function addFee(list: OperationList, source: OperationSource, status: string, compat: boolean): void {
  const fee = BigInt(source.fee_rate);
  const free = FREE.has(source.tx_type);
  if (compat) {
    if (!free) list.add('fee', status, { account: source.sender_address, value: -fee });
    return;
  }
  // Under construction, a fee of 0 is an operation like another.
  if (fee === 0n && (free || status !== '')) return;
  const account = source.sponsor_address ?? source.sender_address;
  const metadata = { sponsored: source.sponsor_address !== undefined };
  list.add('fee', isMined(status) ? SUCCESS : status, { account, value: -fee, metadata });
}

const isMined = (status: string) => status !== '' && status !== 'pending';

function addPayload(list: OperationList, source: OperationSource, status: string, context: OperationContext): void {
  const account = source.sender_address;
  switch (source.tx_type) {
    case 'token_transfer': {
      const { recipient_address, amount, memo } = source.token_transfer;
      const metadata = { memo: memoText(fromHex(memo)) };
      list.addTransfer(status, { sender: account, recipient: recipient_address, amount: BigInt(amount), metadata });
      return;
    }
    case 'contract_call': {
      const { network, compat } = context;
      const call = source.contract_call;
      // In a block, the prints of the contract say what a call did.
      const type = compat || !isMined(status) ? poxOperationType(call, compat) : undefined;
      const metadata = type
        ? poxMetadata(type, call, { network, result: source.result, compat })
        : compat
          ? { ...call }
          : callMetadata(call);
      list.add(type ?? 'contract_call', status, { account, metadata });
      return;
    }
    case 'smart_contract': {
      const { contract_id, clarity_version, source_code } = source.smart_contract;
      const metadata = { contract_identifier: contract_id, clarity_version, source_code };
      if (context.compat) list.add('smart_contract', status, { account });
      else list.add('contract_deploy', status, { account, metadata });
      return;
    }
    case 'coinbase': {
      const { alt_recipient, vrf_proof } = source.coinbase_payload;
      const metadata = {
        ...(alt_recipient !== null && { alt_recipient }),
        ...(vrf_proof !== undefined && { vrf_proof }),
      };
      const isShown = !context.compat && Object.keys(metadata).length > 0;
      list.add('coinbase', status, { account, ...(isShown && { metadata }) });
      return;
    }
    case 'tenure_change':
      list.add('tenure_change', status, { metadata: { ...source.tenure_change_payload } });
      return;
    case 'unknown':
      // Its effects are shown only by its events.
      return;
    default:
      list.add(source.tx_type, status, { account });
  }
}

function addCredits(list: OperationList, txId: string | undefined, { rewards, unlocks }: BlockCredits): void {
  for (const { recipient, amount } of rewards) list.add('miner_reward', SUCCESS, { account: recipient, value: amount });
  const metadata = txId === undefined ? undefined : { tx_id: txId };
  for (const { account, amount } of unlocks) {
    list.add(amount < 0n ? 'stx_lock' : 'stx_unlock', SUCCESS, { account, value: amount, metadata });
  }
}

function addFacts(
  list: OperationList,
  source: OperationSource,
  facts: readonly Fact[],
  status: string,
  compat: boolean,
): void {
  const memos = source.tx_type === 'contract_call' ? bulkMemos(source.contract_call) : undefined;
  let payments = 0;
  // In the incumbent, the last sender of STX burns the burnt amount.
  let burner = source.sender_address;
  for (const fact of facts) {
    switch (fact.kind) {
      case 'transfer': {
        // The payload of a plain transfer already shows it.
        if (source.tx_type === 'token_transfer') break;
        const memo = memos ? memos[payments++] : memoText(fact.memo);
        list.addTransfer(status, { ...fact, metadata: memo == null ? undefined : { memo } });
        burner = fact.sender;
        break;
      }
      case 'mint':
        list.add(compat ? 'mint' : 'token_mint', status, { account: fact.recipient, value: fact.amount });
        break;
      case 'burn': {
        const account = compat ? burner : fact.sender;
        list.add(compat ? 'burn' : 'token_burn', status, { account, value: -fact.amount });
        break;
      }
      case 'lock':
        addLock(list, status, fact, compat);
        break;
      case 'release':
        if (!compat) list.add('stx_unlock', status, { account: fact.account, value: -fact.change });
        break;
      case 'token':
        addToken(list, status, fact);
        break;
      case 'log': {
        const { contract, value, act } = fact;
        list.add('contract_log', status, { metadata: { contract_identifier: contract, topic: 'print', value } });
        if (act) list.add(act.type, status, act);
      }
    }
  }
}

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

function addLock(list: OperationList, status: string, fact: FactOf<'lock'>, compat: boolean): void {
  const { account, contract, locked, unlockHeight } = fact;
  const value = compat ? -locked : -fact.change;
  const metadata = compat
    ? { locked: locked.toString(), unlock_height: unlockHeight }
    : {
        locked: locked.toString(),
        unlock_height: numberOf(BigInt(unlockHeight)),
        locked_address: account,
        contract_name: contract,
      };
  list.add(value > 0n ? 'stx_unlock' : 'stx_lock', status, { account, value, metadata });
}

function addToken(list: OperationList, status: string, fact: FactOf<'token'>): void {
  const { movement, sender, recipient, token, amount } = fact;
  if (movement === 'transfer') list.addTransfer(status, { sender, recipient, amount, token });
  else if (movement === 'mint') list.add('token_mint', status, { account: recipient, value: amount, token });
  else list.add('token_burn', status, { account: sender, value: -amount, token });
}
