import {
  bool,
  buffer,
  err,
  int,
  none,
  ok,
  principal,
  stringAscii,
  tuple,
  uint,
} from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bootAddress, type Network } from '@cairn-stacks/codec/network';
import { callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { bnsEffects, bnsPayload } from '../contracts/names/bns-contract.ts';
import { bnsV2Effects, bnsV2Payload } from '../contracts/names/bns-v2-contract.ts';
import { cycleLength } from '../contracts/pox/cycle.ts';
import { callArguments, callEvents, itemNumber, tokenInterface, tokenSource } from '../contracts/token-contract.ts';
import { makeTransaction } from '../residents/wallet.ts';
import { accountAt } from './account.ts';
import type { Action } from './action.ts';
import type { BranchState } from './branch-state.ts';
import type { ChainEvent } from './event.ts';
import { type CostJson, type Executed, freeOfCost } from './executed.ts';
import type { Release } from './release.ts';

/** The block in which transactions run. */
export type BlockContext = {
  network: Network;
  release: Release;
  sign: boolean;
  /** Height of the block. */
  height: number;
  burnHeight: number;
  /** True inside a microblock. */
  streamed: boolean;
};

const callCost: CostJson = { runtime: 11_500, read_count: 5, read_length: 1_200, write_count: 2, write_length: 90 };
const deployCost: CostJson = { runtime: 48_000, read_count: 3, read_length: 40, write_count: 6, write_length: 2_400 };

/** Runs one action on a branch: applies nonce, fee and assets, and returns the transaction with its receipt. */
export function execute(action: Action, state: BranchState, where: BlockContext): Executed {
  const { network } = where;
  const origin = accountAt(action.from, network.mainnet);
  const sponsor = action.sponsor === undefined ? undefined : accountAt(action.sponsor, network.mainnet);
  const fee = action.fee ?? 180n;
  const { txId, raw } = makeTransaction({
    network,
    origin: { account: origin, nonce: state.nonce(origin.address) },
    sponsor: sponsor && { account: sponsor, nonce: state.nonce(sponsor.address) },
    fee,
    payload: payloadOf(action, where),
    anchorMode: where.release.nakamoto ? 'any' : where.streamed ? 'off_chain_only' : 'on_chain_only',
    postConditionMode: action.fails === 'post_condition' ? 'deny' : 'allow',
    sign: where.sign,
  });
  for (const { address } of sponsor ? [origin, sponsor] : [origin])
    state.nonces.set(address, state.nonce(address) + 1n);
  state.debit((sponsor ?? origin).address, fee);

  const effects = effectsOf(action, origin.address, where);
  const failed = action.fails !== undefined;
  if (!failed) {
    state.apply(effects.events, itemNumber);
    if (action.kind === 'deploy') state.contracts.add(`${origin.address}.${action.name}`);
  }
  const refused = action.fails === 'response';
  return {
    txId,
    raw,
    status: !failed ? 'success' : refused ? 'abort_by_response' : 'abort_by_post_condition',
    result: encodeClarity(refused ? err(action.kind === 'deploy' ? none : uint(1)) : ok(effects.result)),
    events: failed ? [] : effects.events,
    uncommitted: action.fails === 'post_condition' ? effects.events : [],
    contractInterface: action.kind === 'deploy' && !failed ? tokenInterface(where.release.nakamoto) : null,
    burnOperation: null,
    cost: action.kind === 'transfer' ? freeOfCost : action.kind === 'deploy' ? deployCost : callCost,
    // Nodes quote the output of the code, including control characters.
    vmError: refused ? ':0:0: runtime error: refused\u0000' : null,
    fee,
  };
}

function payloadOf(action: Action, where: BlockContext): Payload {
  switch (action.kind) {
    case 'transfer':
      return transferPayload(action.to, action.amount, action.memo);
    case 'deploy':
      return deployPayload(action.name, tokenSource, where.release.nakamoto ? 3 : undefined);
    case 'call':
      return callPayload(action.contract, action.call.name, callArguments(action.call));
    case 'bns':
      return bnsPayload(action.call, where.network.mainnet);
    case 'bns_v2':
      return bnsV2Payload(action.call, where.network.mainnet);
    case 'stack':
      return callPayload(poxContract(where), 'stack-stx', [
        uint(action.amount),
        rewardAddress,
        uint(where.burnHeight),
        uint(action.cycles),
        none,
        buffer(new Uint8Array(33).fill(2)),
        uint(action.amount),
        uint(1),
      ]);
  }
}

type Effects = { events: ChainEvent[]; result: ClarityValue };

function effectsOf(action: Action, sender: string, where: BlockContext): Effects {
  switch (action.kind) {
    case 'transfer': {
      const memo = new Uint8Array(34);
      memo.set(new TextEncoder().encode(action.memo ?? ''));
      return {
        events: [{ kind: 'stx_transfer', sender, recipient: action.to, amount: action.amount, memo }],
        result: bool(true),
      };
    }
    case 'deploy':
      return { events: [], result: bool(true) };
    case 'call':
      return { events: callEvents(action.contract, sender, action.call), result: bool(true) };
    case 'bns':
      return bnsEffects(action.call, sender, where.network.mainnet);
    case 'bns_v2':
      return bnsV2Effects(action.call, sender, where.network.mainnet);
    case 'stack':
      return lockEffects(sender, action.amount, action.cycles, where);
  }
}

/** The events of stacking: the print of the PoX contract, then the lock. */
export function lockEffects(sender: string, amount: bigint, cycles: number, where: BlockContext): Effects {
  const contract = poxContract(where);
  const unlockHeight = (Math.floor(where.burnHeight / cycleLength) + 1 + cycles) * cycleLength;
  const result = tuple({
    'lock-amount': uint(amount),
    stacker: principal(sender),
    'unlock-burn-height': uint(unlockHeight),
  });
  const notice = tuple({
    name: stringAscii('stack-stx'),
    stacker: principal(sender),
    balance: uint(0),
    locked: uint(amount),
    'burnchain-unlock-height': uint(unlockHeight),
    data: tuple({ 'lock-amount': uint(amount), 'lock-period': uint(cycles), 'pox-addr': rewardAddress }),
  });
  return {
    events: [
      { kind: 'print', contract, value: encodeClarity(ok(notice)) },
      { kind: 'stx_lock', principal: sender, amount, unlockHeight, contract },
    ],
    result,
  };
}

/** The active PoX contract. */
export const poxContract = ({ network, release }: BlockContext) =>
  `${bootAddress(network.mainnet)}.${release.nakamoto ? 'pox-4' : 'pox-3'}`;

const rewardAddress = tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20).fill(7)) });

/** The result of a rejected stacking operation. */
export const rejected = encodeClarity(err(int(3)));
