import { bootAddress } from '@cairn-stacks/codec/network';
import type { Block, MinerReward } from '../../chain/block.ts';
import { type ChainEvent, eventCodes } from '../../chain/event.ts';
import { type BnsEvent, readBnsEvents } from '../../chain/names/event.ts';
import { burnCall } from '../../chain/pox/burn-call.ts';
import { feeOf, originOf, sponsorOf, targetOf } from '../../chain/pox/signer.ts';
import { type PrintShape, printShape } from '../../chain/print-shape.ts';
import { otherStatus, payloadIds, type Receipt, statusCodes } from '../../chain/transaction.ts';
import type { BatchNames } from './batch-names.ts';
import { printedPrincipals } from './printed-principals.ts';
import type { UsedNames } from './used-names.ts';

/** An event with its names replaced by keys; 0 where a party is missing. */
export type ResolvedEvent = {
  index: number;
  kind: number;
  asset: number;
  sender: number;
  recipient: number;
  amount: bigint;
  value: Uint8Array;
  /** What a printed value looks like; undefined if it cannot be read, and for other events. */
  shape: PrintShape | undefined;
  source: ChainEvent;
};

/** A transaction with its position in the block and its names replaced by keys. */
export type ResolvedTransaction = {
  receipt: Receipt;
  txPosition: number;
  payloadId: number;
  status: number;
  sender: number;
  sponsor: number;
  target: number;
  function: number;
  /** The principal that pays the fee, 0 when there is no fee. */
  payer: number;
  fee: bigint;
  nonce: bigint;
  events: ResolvedEvent[];
  /** Its changes to names and namespaces. */
  naming: readonly BnsEvent[];
  /** True for the transactions of block 0, which are shown as part of block 1. */
  genesis: boolean;
};

export type ResolvedReward = { recipient: number; miner: number; reward: MinerReward };

/** A block ready for the projections: what they read is decided here, once. */
export type ResolvedBlock = {
  block: Block;
  height: number;
  transactions: ResolvedTransaction[];
  rewards: ResolvedReward[];
  /** Keys of names, those that `printedPrincipals` listed among them, and names of keys. */
  names: BatchNames;
};

type UnresolvedTransaction = {
  receipt: Receipt;
  genesis: boolean;
  sender: string;
  sponsor: string | undefined;
  target: string | undefined;
  functionName: string | undefined;
  payloadId: number;
};

/** A block with its order settled and its names listed, before the names have keys. */
export type UnresolvedBlock = { block: Block; transactions: UnresolvedTransaction[] };

const maxTransactions = 32_767;
const none = new Uint8Array(0);

/** Puts a block's transactions, with those of block 0 where it is the first, in order; adds every name they use to `used`. */
export function unresolvedBlock(
  block: Block,
  genesis: Block | undefined,
  mainnet: boolean,
  used: UsedNames,
): UnresolvedBlock {
  const receipts = [
    // The ecosystem shows block 0 as part of block 1, each index one higher; its transactions come first.
    ...(genesis?.receipts ?? []).map(r => ({ receipt: { ...r, index: r.index + 1 }, genesis: true })),
    ...block.receipts.map(receipt => ({ receipt, genesis: false })),
  ];
  const ordered = receipts.sort((a, b) => order(a.receipt) - order(b.receipt) || a.receipt.index - b.receipt.index);
  if (ordered.length > maxTransactions)
    throw new Error(
      `block ${block.height} has ${ordered.length} transactions, more than the supported ${maxTransactions}`,
    );
  const transactions: UnresolvedTransaction[] = [];
  for (const { receipt, genesis: early } of ordered) {
    const unresolved = unresolvedTransaction(receipt, early, mainnet);
    // A stacking operation that was rejected before release 2.1 has no sender: its receipt stays in the log only.
    if (!unresolved) continue;
    transactions.push(unresolved);
    used.principals.add(unresolved.sender);
    if (unresolved.sponsor) used.principals.add(unresolved.sponsor);
    if (unresolved.target) used.principals.add(unresolved.target);
    if (unresolved.functionName) used.functions.add(unresolved.functionName);
    for (const event of receipt.events) eventNames(event, used, mainnet);
  }
  for (const reward of block.rewards) {
    used.principals.add(reward.recipient);
    used.principals.add(reward.miner);
  }
  return { block, transactions };
}

/** Confirmed microblocks executed before the anchored transactions; their sequence orders them. */
const order = ({ microblock }: Receipt) => microblock?.sequence ?? 0x7fff_ffff;

function unresolvedTransaction(
  receipt: Receipt,
  genesis: boolean,
  mainnet: boolean,
): UnresolvedTransaction | undefined {
  const { transaction, burnOperation } = receipt;
  if (transaction) {
    const { payload } = transaction;
    return {
      receipt,
      genesis,
      sender: originOf(transaction),
      sponsor: sponsorOf(transaction),
      target: targetOf(transaction),
      functionName: payload.type === 'contract_call' ? payload.functionName : undefined,
      payloadId: payloadIds[payload.type],
    };
  }
  if (!burnOperation) return undefined;
  const call = burnCall(burnOperation, receipt.events, mainnet);
  return {
    receipt,
    genesis,
    sender: burnOperation.sender,
    sponsor: undefined,
    target: burnOperation.kind === 'transfer_stx' ? burnOperation.recipient : call?.contract,
    functionName: call?.functionName,
    payloadId: call ? payloadIds.contract_call : payloadIds.token_transfer,
  };
}

function eventNames(event: ChainEvent, { principals, assets }: UsedNames, mainnet: boolean): void {
  if ('sender' in event) principals.add(event.sender);
  if ('recipient' in event) principals.add(event.recipient);
  if ('asset' in event) assets.add(event.asset);
  if (event.kind === 'print') {
    principals.add(event.contract);
    for (const name of printedPrincipals(event)) principals.add(name);
  }
  if (event.kind === 'stx_lock') {
    principals.add(event.principal);
    principals.add(lockContract(event, mainnet));
  }
}

/** Locks of releases before 2.1 name no contract: only pox-1 existed. */
const lockContract = (event: Extract<ChainEvent, { kind: 'stx_lock' }>, mainnet: boolean) =>
  event.contract || `${bootAddress(mainnet)}.pox`;

/** Replaces the names of a block by their keys. */
export function resolveBlock(
  { block, transactions }: UnresolvedBlock,
  names: BatchNames,
  mainnet: boolean,
): ResolvedBlock {
  return {
    block,
    height: block.height,
    transactions: transactions.map((item, txPosition) => resolveTransaction(item, txPosition, names, mainnet)),
    rewards: block.rewards.map(reward => ({
      recipient: names.principal(reward.recipient),
      miner: names.principal(reward.miner),
      reward,
    })),
    names,
  };
}

function resolveTransaction(
  item: UnresolvedTransaction,
  txPosition: number,
  names: BatchNames,
  mainnet: boolean,
): ResolvedTransaction {
  const { receipt } = item;
  const { transaction } = receipt;
  const sender = names.principal(item.sender);
  const sponsor = item.sponsor ? names.principal(item.sponsor) : 0;
  const fee = transaction ? feeOf(transaction) : 0n;
  return {
    receipt,
    txPosition,
    payloadId: item.payloadId,
    status: statusCodes[receipt.status as keyof typeof statusCodes] ?? otherStatus,
    sender,
    sponsor,
    target: item.target ? names.principal(item.target) : 0,
    function: item.functionName ? names.function(item.functionName) : 0,
    payer: fee > 0n ? sponsor || sender : 0,
    fee,
    nonce: transaction?.auth.origin.nonce ?? 0n,
    events: receipt.events.map((event, index) => resolveEvent(event, index, names, mainnet)),
    naming: readBnsEvents(receipt),
    genesis: item.genesis,
  };
}

function resolveEvent(event: ChainEvent, index: number, names: BatchNames, mainnet: boolean): ResolvedEvent {
  const resolved: ResolvedEvent = {
    index,
    kind: eventCodes[event.kind],
    asset: 'asset' in event ? names.asset(event.asset) : 0,
    sender: 'sender' in event ? names.principal(event.sender) : 0,
    recipient: 'recipient' in event ? names.principal(event.recipient) : 0,
    amount: 'amount' in event ? event.amount : 0n,
    value: 'value' in event ? event.value : none,
    shape: undefined,
    source: event,
  };
  switch (event.kind) {
    case 'stx_transfer':
      resolved.value = event.memo;
      break;
    case 'print':
      resolved.asset = names.principal(event.contract);
      resolved.shape = printShape(event.value);
      break;
    case 'stx_lock':
      resolved.asset = names.principal(lockContract(event, mainnet));
      resolved.sender = names.principal(event.principal);
      resolved.value = Buffer.from(String(event.unlockHeight));
      break;
    case 'unknown':
      resolved.value = Buffer.from(event.body);
      break;
  }
  return resolved;
}
