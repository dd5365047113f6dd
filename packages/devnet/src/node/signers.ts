import { encodeNakamotoBlock, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { encodeProposal } from '@cairn-stacks/codec/signer-message/encode';
import type { RejectReason } from '@cairn-stacks/codec/signer-message/response';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { accountAt } from '../chain/account.ts';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { Message } from '../chain/message-text.ts';
import {
  chunksMessage,
  preCommitMessage,
  proposalMessage,
  pushMessage,
  responsesMessage,
} from '../chain/stackerdb-messages.ts';
import { Random } from '../random.ts';

/** A signer of a cycle and its vote on a block; a late one accepts when the block has enough signatures already. */
export type Vote = { slot: number; account: number; vote: 'accept' | 'late' | 'reject' | 'sleep' };

/** The signers of a cycle in their order, with their weights. */
export type SignerSet = readonly { signing_key: string; weight: number }[];

/** What is posted before and after a block. */
export type SignerTraffic = { before: Message[]; after: Message[] };

const minerVersion = 'stacks-node 4.0.2 (devnet, release build, linux [x86_64])';
const signerVersion = 'stacks-signer 4.0.2 (devnet, release build, linux [x86_64])';

const reasons: readonly { text: string; reason: RejectReason; detail: RejectReason }[] = [
  { text: 'the block is not valid', reason: { code: 0, validation: 1 }, detail: { code: 0, validation: 1 } },
  { text: 'the miner would reorganize a tenure', reason: { code: 4 }, detail: { code: 6 } },
  { text: 'no sortition is known', reason: { code: 3 }, detail: { code: 3 } },
];

/** Simulated signers: most accept, some are late, reject or sleep. What they do follows from the block alone. */
export class DevnetSigners {
  readonly #accounts = new Map<string, number>();

  constructor(accounts: number, mainnet: boolean) {
    for (let i = 0; i < accounts; i++) this.#accounts.set(bareHex(accountAt(i, mainnet).publicKey), i);
  }

  /**
   * The votes of a signer set on the next block on a parent. Signers with keys of others never answer; of the rest so many
   * accept that they have 70% of the weight, where that is possible.
   */
  votes(set: SignerSet, parent: Pick<BuiltBlock, 'indexHash'>): Vote[] {
    const random = randomOf(parent.indexHash);
    const weightOf = (signers: SignerSet) => signers.reduce((sum, { weight }) => sum + weight, 0);
    let spare = weightOf(set) * 0.3 - weightOf(set.filter(({ signing_key }) => !this.#accounts.has(signing_key)));
    return set.flatMap(({ signing_key, weight }, slot) => {
      const account = this.#accounts.get(signing_key);
      if (account === undefined) return [];
      const vote = weight <= spare && random.chance(4) ? random.pick(['late', 'reject', 'sleep'] as const) : 'accept';
      if (vote !== 'accept') spare -= weight;
      return [{ slot, account, vote }];
    });
  }

  /** The messages around a block; in one of ten cases an earlier proposal for its place is rejected first. */
  traffic(block: BuiltBlock, cycle: number, votes: readonly Vote[]): SignerTraffic {
    const random = randomOf(block.indexHash);
    const hash = fromHex(block.hash);
    const accepting = votes.filter(({ vote }) => vote === 'accept');
    const answer = ({ slot }: Vote, i: number) => ({
      ...{ slot, accepted: true, hash, version: signerVersion },
      signature: block.header!.signerSignatures[i] ?? random.bytes(65),
    });
    const reject = ({ slot }: Vote, rejected: Uint8Array) => ({
      ...{ slot, accepted: false, hash: rejected, version: signerVersion },
      ...{ signature: random.bytes(65), rejection: random.pick(reasons) },
    });
    const before: Message[] = [];
    if (random.chance(10)) {
      const rival = rivalOf(block, cycle);
      before.push(rival.message);
      before.push(
        responsesMessage(
          cycle,
          votes.map(vote => reject(vote, rival.hash)),
        ),
      );
    }
    before.push(proposalMessage(block, cycle, minerVersion));
    before.push(
      preCommitMessage(
        cycle,
        accepting.map(({ slot }) => slot),
        hash,
      ),
    );
    const rejecting = votes.filter(({ vote }) => vote === 'reject').map(vote => reject(vote, hash));
    for (const part of [accepting.map(answer), rejecting])
      if (part.length > 0) before.push(responsesMessage(cycle, part));
    before.push(pushMessage(block));
    const late = votes.filter(({ vote }) => vote === 'late').map(vote => answer(vote, Number.POSITIVE_INFINITY));
    return { before, after: late.length > 0 ? [responsesMessage(cycle, late)] : [] };
  }
}

/** The proposal of a rival: the block with the time of a second before. */
function rivalOf(block: BuiltBlock, cycle: number): { hash: Uint8Array; message: Message } {
  const header = { ...block.header!, timestamp: block.header!.timestamp - 1n, signerSignatures: [] };
  const transactions = block.transactions
    .filter(({ raw }) => raw !== '0x00')
    .map(({ raw }) => ({ bytes: fromHex(raw), transaction: decodeTransaction(fromHex(raw)) }));
  const data = encodeProposal(encodeNakamotoBlock({ header, transactions }), block.burn.height, cycle, minerVersion);
  return { hash: nakamotoBlockHash(header), message: chunksMessage('miners', [{ slot: 0, data }]) };
}

/** Not the generator of the chain: signers change nothing about its blocks. */
const randomOf = (indexHash: string) => new Random(Number.parseInt(indexHash.slice(2, 10), 16));
