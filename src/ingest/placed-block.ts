import type { Block, MinerReward } from '../chain/block.ts';
import { burnCall } from '../chain/burn-call.ts';
import { type ChainEvent, eventCodes } from '../chain/event.ts';
import { bootAddress } from '../chain/network.ts';
import { feeOf, originOf, sponsorOf, targetOf } from '../chain/signer.ts';
import { payloadIds, type Receipt, statusCodes } from '../chain/transaction.ts';
import { BlockNames } from './block-names.ts';
import type { Interner } from './interner.ts';
import { printedPrincipals } from './printed-principals.ts';

/** An event with its names replaced by keys; 0 where a side is missing. */
export type PlacedEvent = {
  index: number;
  kind: number;
  asset: number;
  sender: number;
  recipient: number;
  amount: bigint;
  value: Uint8Array;
  source: ChainEvent;
};

/** A transaction with its place in the block and its names replaced by keys. */
export type PlacedTransaction = {
  receipt: Receipt;
  place: number;
  payloadId: number;
  status: number;
  sender: number;
  sponsor: number;
  target: number;
  function: number;
  /** Who pays the fee, 0 when nobody does. */
  payer: number;
  fee: bigint;
  nonce: bigint;
  events: PlacedEvent[];
  /** True for the transactions of block 0, which are shown as part of block 1. */
  genesis: boolean;
};

export type PlacedReward = { recipient: number; miner: number; reward: MinerReward };

/** A block ready for the projections: what they read is decided here, once. */
export type PlacedBlock = {
  block: Block;
  height: number;
  transactions: PlacedTransaction[];
  rewards: PlacedReward[];
  /** Keys of names, those that `printedPrincipals` listed among them, and names of keys. */
  names: BlockNames;
};

type Draft = {
  receipt: Receipt;
  genesis: boolean;
  sender: string;
  sponsor: string | undefined;
  target: string | undefined;
  functionName: string | undefined;
  payloadId: number;
};

/** A block with its order settled and its names listed, before the names have keys. */
export type DraftBlock = {
  block: Block;
  drafts: Draft[];
  principals: Set<string>;
  assets: Set<string>;
  functions: Set<string>;
};

const mostTransactions = 32_767;
const none = new Uint8Array(0);

/** Puts a block's transactions, with those of block 0 where it is the first, in order and lists every name they use. */
export function draftBlock(block: Block, genesis: Block | undefined, mainnet: boolean): DraftBlock {
  const receipts = [
    // The ecosystem shows block 0 as part of block 1, each index one higher; it came first, so it stands first.
    ...(genesis?.receipts ?? []).map(r => ({ receipt: { ...r, index: r.index + 1 }, genesis: true })),
    ...block.receipts.map(receipt => ({ receipt, genesis: false })),
  ];
  const ordered = receipts.sort((a, b) => order(a.receipt) - order(b.receipt) || a.receipt.index - b.receipt.index);
  if (ordered.length > mostTransactions) throw new Error(`block ${block.height} has ${ordered.length} transactions`);
  const draft: DraftBlock = { block, drafts: [], principals: new Set(), assets: new Set(), functions: new Set() };
  for (const item of ordered) {
    const names = transactionNames(item.receipt, mainnet);
    // A stacking operation that was rejected before release 2.1 names nobody: its receipt stays in the log alone.
    if (!names) continue;
    draft.drafts.push({ ...item, ...names });
    draft.principals.add(names.sender);
    if (names.sponsor) draft.principals.add(names.sponsor);
    if (names.target) draft.principals.add(names.target);
    if (names.functionName) draft.functions.add(names.functionName);
    for (const event of item.receipt.events) eventNames(event, draft, mainnet);
  }
  for (const reward of block.rewards) {
    draft.principals.add(reward.recipient);
    draft.principals.add(reward.miner);
  }
  return draft;
}

/** Confirmed microblocks executed before the anchored transactions; their sequence orders them. */
const order = ({ microblock }: Receipt) => microblock?.sequence ?? 0x7fff_ffff;

function transactionNames(receipt: Receipt, mainnet: boolean): Omit<Draft, 'receipt' | 'genesis'> | undefined {
  const { transaction, burnOperation } = receipt;
  if (transaction) {
    const { payload } = transaction;
    return {
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
    sender: burnOperation.sender,
    sponsor: undefined,
    target: burnOperation.kind === 'transfer_stx' ? burnOperation.recipient : call?.contract,
    functionName: call?.functionName,
    payloadId: call ? payloadIds.contract_call : payloadIds.token_transfer,
  };
}

function eventNames(event: ChainEvent, { principals, assets }: DraftBlock, mainnet: boolean): void {
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

/** Replaces the names of a draft by their keys. */
export function placeBlock(draft: DraftBlock, interner: Interner, mainnet: boolean): PlacedBlock {
  const { block } = draft;
  const names = new BlockNames(interner);
  return {
    block,
    height: block.height,
    transactions: draft.drafts.map((item, place) => placeTransaction(item, place, names, mainnet)),
    rewards: block.rewards.map(reward => ({
      recipient: names.principal(reward.recipient),
      miner: names.principal(reward.miner),
      reward,
    })),
    names,
  };
}

function placeTransaction(item: Draft, place: number, names: BlockNames, mainnet: boolean): PlacedTransaction {
  const { receipt } = item;
  const { transaction } = receipt;
  const sender = names.principal(item.sender);
  const sponsor = item.sponsor ? names.principal(item.sponsor) : 0;
  const fee = transaction ? feeOf(transaction) : 0n;
  return {
    receipt,
    place,
    payloadId: item.payloadId,
    status: statusCodes[receipt.status as keyof typeof statusCodes] ?? 0,
    sender,
    sponsor,
    target: item.target ? names.principal(item.target) : 0,
    function: item.functionName ? names.function(item.functionName) : 0,
    payer: fee > 0n ? sponsor || sender : 0,
    fee,
    nonce: transaction?.auth.origin.nonce ?? 0n,
    events: receipt.events.map((event, index) => placeEvent(event, index, names, mainnet)),
    genesis: item.genesis,
  };
}

function placeEvent(event: ChainEvent, index: number, names: BlockNames, mainnet: boolean): PlacedEvent {
  const placed: PlacedEvent = {
    index,
    kind: eventCodes[event.kind],
    asset: 'asset' in event ? names.asset(event.asset) : 0,
    sender: 'sender' in event ? names.principal(event.sender) : 0,
    recipient: 'recipient' in event ? names.principal(event.recipient) : 0,
    amount: 'amount' in event ? event.amount : 0n,
    value: 'value' in event ? event.value : none,
    source: event,
  };
  switch (event.kind) {
    case 'stx_transfer':
      placed.value = event.memo;
      break;
    case 'print':
      placed.asset = names.principal(event.contract);
      break;
    case 'stx_lock':
      placed.asset = names.principal(lockContract(event, mainnet));
      placed.sender = names.principal(event.principal);
      placed.value = Buffer.from(String(event.unlockHeight));
      break;
    case 'unknown':
      placed.value = Buffer.from(event.body);
      break;
  }
  return placed;
}
