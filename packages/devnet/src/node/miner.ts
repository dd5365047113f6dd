import { bool, ok } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { hash160 } from '@cairn-stacks/codec/hash';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '../chain/account.ts';
import type { BranchState } from '../chain/branch-state.ts';
import type { BuiltBlock, Tenure } from '../chain/built-block.ts';
import type { BurnBlock } from '../chain/burn-chain.ts';
import { type Executed, freeOfCost } from '../chain/executed.ts';
import type { Random } from '../random.ts';
import { makeTransaction } from '../residents/wallet.ts';

/** Accounts that mine, apart from those that make the traffic. */
export const miners = [1_000, 1_001, 1_002];

/** The tenure that a burn block elected on top of a block. */
export function electTenure(parent: BuiltBlock, burn: BurnBlock, random: Random): Tenure {
  return {
    miner: random.pick(miners),
    consensusHash: burn.consensusHash,
    minerTxId: toHex(random.bytes(32)),
    number: parent.state.tenures.length + 1,
    blocks: 1,
  };
}

export type TenureStart = {
  network: Network;
  nakamoto: boolean;
  sign: boolean;
  parent: BuiltBlock;
  tenure: Tenure;
  random: Random;
};

/** The transactions that open a tenure; they cost nothing. */
export function startTenure(start: TenureStart, state: BranchState): Executed[] {
  const { nakamoto, parent, tenure, random, network } = start;
  const data = random.bytes(32);
  if (!nakamoto) return [minerTransaction(start, state, { type: 'coinbase', data })];
  const change: Payload = {
    type: 'tenure_change',
    tenureConsensusHash: tenure.consensusHash,
    previousTenureConsensusHash: parent.tenure.consensusHash,
    burnViewConsensusHash: tenure.consensusHash,
    previousTenureEnd: fromHex(parent.indexHash),
    previousTenureBlocks: parent.tenure.blocks,
    cause: 'block_found',
    publicKeyHash: hash160(accountAt(tenure.miner, network.mainnet).publicKey),
  };
  const vrfProof = random.bytes(80);
  return [
    minerTransaction(start, state, change),
    minerTransaction(start, state, { type: 'nakamoto_coinbase', data, recipient: undefined, vrfProof }),
  ];
}

/** The transaction that extends a tenure to the burn blocks up to `view`, none of which elected a miner. */
export function extendTenure(start: TenureStart, view: BurnBlock, state: BranchState): Executed {
  const { parent, tenure, network } = start;
  return minerTransaction(start, state, {
    type: 'tenure_change',
    tenureConsensusHash: tenure.consensusHash,
    previousTenureConsensusHash: tenure.consensusHash,
    burnViewConsensusHash: view.consensusHash,
    previousTenureEnd: fromHex(parent.indexHash),
    previousTenureBlocks: parent.tenure.blocks,
    cause: 'extended',
    publicKeyHash: hash160(accountAt(tenure.miner, network.mainnet).publicKey),
  });
}

function minerTransaction({ network, tenure, sign }: TenureStart, state: BranchState, payload: Payload): Executed {
  const account = accountAt(tenure.miner, network.mainnet);
  const nonce = state.nonce(account.address);
  state.nonces.set(account.address, nonce + 1n);
  const origin = { account, nonce };
  return {
    ...makeTransaction({ network, origin, fee: 0n, payload, anchorMode: 'on_chain_only', sign }),
    status: 'success',
    result: encodeClarity(ok(bool(true))),
    events: [],
    uncommitted: [],
    contractInterface: null,
    burnOperation: null,
    cost: freeOfCost,
    vmError: null,
    fee: 0n,
  };
}
