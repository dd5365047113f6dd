import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { bootAddress } from '@cairn-stacks/codec/network';
import { deployPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { type Account, accountAt } from '../chain/account.ts';
import { functionOf, readOnlyContext } from '../contracts/contract-model.ts';
import { decoyModel } from '../contracts/decoy-model.ts';
import { deployable, modelOf } from '../contracts/model-list.ts';
import { isRejection } from '../node/admission.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { Random } from '../random.ts';
import { deployer } from './accounts.ts';
import { makeTransaction } from './wallet.ts';

/** Options of a transaction; the defaults are those of a careful wallet. */
export type Sending = {
  fee?: bigint;
  nonce?: bigint;
  sponsor?: number;
  mode?: 'allow' | 'deny';
  conditions?: PostCondition[];
};

/** A fixed fee draws no random number: what the residents do with a seed does not depend on the decoy. */
export const decoyFee = 1_000n;

/** The simulated users of the devnet: they submit signed transactions to the node, valid and invalid ones. */
export class Residents {
  readonly node: DevnetNode;
  readonly random: Random;
  /** Number of rounds so far. */
  round = 0;

  constructor(node: DevnetNode, seed: number) {
    this.node = node;
    this.random = new Random(seed ^ 0x5eed);
  }

  account(index: number): Account {
    return accountAt(index, this.node.network.mainnet);
  }

  address(index: number): string {
    return this.account(index).address;
  }

  contract(name: string): string {
    return `${this.address(deployer)}.${name}`;
  }

  bootContract(name: string): string {
    return `${bootAddress(this.node.network.mainnet)}.${name}`;
  }

  /** The next nonce after mined and pending transactions. */
  nextNonce(index: number): bigint {
    const address = this.address(index);
    const waiting = new Set<bigint>();
    for (const { sender, sponsor, transaction } of this.node.mempool.list()) {
      if (sender === address) waiting.add(transaction.auth.origin.nonce);
      if (sponsor === address) waiting.add(transaction.auth.sponsor!.nonce);
    }
    let nonce = this.node.state.nonce(address);
    while (waiting.has(nonce)) nonce++;
    return nonce;
  }

  /** The result of a read-only function at the tip; undefined if there is no such function. */
  readOnly(contract: string, name: string, args: readonly ClarityValue[]): ClarityValue | undefined {
    const called = functionOf(modelOf(this.node.state, contract, this.node.network), name);
    return called?.access === 'read_only'
      ? called.run(readOnlyContext(this.node, contract, contract), args).result
      : undefined;
  }

  /** Signs and submits a transaction; true if the node accepted it. */
  send(from: number, payload: Payload, sending: Sending = {}): boolean {
    const { sponsor } = sending;
    const { raw } = makeTransaction({
      network: this.node.network,
      origin: { account: this.account(from), nonce: sending.nonce ?? this.nextNonce(from) },
      sponsor: sponsor === undefined ? undefined : { account: this.account(sponsor), nonce: this.nextNonce(sponsor) },
      fee: sending.fee ?? BigInt(600 + this.random.below(2_400)) + sizeFee(payload),
      payload,
      postConditionMode: sending.mode ?? 'deny',
      postConditions: sending.conditions ?? [],
      sign: this.node.options.sign ?? true,
    });
    return !isRejection(this.node.submit(fromHex(raw), { signedHere: true }));
  }

  /** Deploys missing contracts; true if something was sent. */
  deployModels(): boolean {
    const version = this.node.chain.release.nakamoto ? 3 : undefined;
    const missing = deployable.filter(({ name }) => !this.node.state.contracts.has(this.contract(name)));
    for (const { name, source } of missing) {
      const fee = name === decoyModel.name ? { fee: decoyFee + BigInt(source.length) } : {};
      this.send(deployer, deployPayload(name, source, version), { mode: 'allow', ...fee });
    }
    return missing.length > 0;
  }
}

/** Extra fee for long deployments: a node needs at least one micro-STX per byte. */
const sizeFee = (payload: Payload): bigint => ('source' in payload ? BigInt(payload.source.length) : 0n);
