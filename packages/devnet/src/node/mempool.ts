import { payingCondition } from '@cairn-stacks/codec/transaction/transaction';
import type { BranchState } from '../chain/branch-state.ts';
import { dropMessage, mempoolMessage } from '../chain/burn-and-mempool-messages.ts';
import type { Message } from '../chain/message-text.ts';
import { type Rejection, rejecter } from './admission.ts';
import type { Submission } from './submission.ts';

/** A transaction in the mempool, with its time (Unix seconds) and height of arrival. */
export type PendingTransaction = Submission & { since: number; height: number };

/** Seconds after which a node drops a transaction that was not mined: 256 times ten minutes. */
export const expirySeconds = 153_600;

const feeOf = ({ transaction }: Submission) => payingCondition(transaction).fee;

/** Pending transactions: at most one for each nonce of an origin and of a sponsor. */
export class NodeMempool {
  readonly #byId = new Map<string, PendingTransaction>();
  readonly #post: (message: Message) => void;

  constructor(post: (message: Message) => void) {
    this.#post = post;
  }

  get size(): number {
    return this.#byId.size;
  }

  has(txId: string): boolean {
    return this.#byId.has(txId);
  }

  get(txId: string): PendingTransaction | undefined {
    return this.#byId.get(txId);
  }

  list(): PendingTransaction[] {
    return [...this.#byId.values()];
  }

  /** Adds an admitted transaction, unless one with the same nonce pays at least the same fee. */
  add(submission: Submission, since: number, height: number): Rejection | undefined {
    if (this.#byId.has(submission.txId)) return rejecter(submission.txId.slice(2))('ConflictingNonceInMempool');
    const rivals = this.list().filter(pending => conflicts(pending, submission));
    if (rivals.some(rival => feeOf(rival) >= feeOf(submission))) {
      return rejecter(submission.txId.slice(2))('ConflictingNonceInMempool');
    }
    this.restore({ ...submission, since, height });
    this.#post(mempoolMessage([submission]));
    for (const rival of rivals) this.drop(rival.txId, 'ReplaceByFee', submission.txId);
    return undefined;
  }

  /** Puts a transaction back without posting a message. */
  restore(pending: PendingTransaction): void {
    this.#byId.set(pending.txId, pending);
  }

  drop(txId: string, reason: Parameters<typeof dropMessage>[1], newTxId: string | null = null): void {
    if (this.#byId.delete(txId)) this.#post(dropMessage([txId], reason, newTxId));
  }

  /** Removes transactions that are mined or have a used nonce; a node posts no message for those. */
  removeMined(mined: readonly string[], state: BranchState): void {
    for (const txId of mined) this.#byId.delete(txId);
    for (const { txId, transaction, sender, sponsor } of this.list()) {
      const stale =
        transaction.auth.origin.nonce < state.nonce(sender) ||
        (sponsor !== undefined && transaction.auth.sponsor!.nonce < state.nonce(sponsor));
      if (stale) this.#byId.delete(txId);
    }
  }

  expire(now: number): void {
    const old = this.list().filter(({ since }) => now - since > expirySeconds);
    for (const { txId } of old) this.#byId.delete(txId);
    if (old.length > 0)
      this.#post(
        dropMessage(
          old.map(each => each.txId),
          'StaleGarbageCollect',
        ),
      );
  }

  /** Empties the mempool without a message, as a node restart does. */
  clear(): void {
    this.#byId.clear();
  }
}

function conflicts(a: Submission, b: Submission): boolean {
  if (a.sender === b.sender && a.transaction.auth.origin.nonce === b.transaction.auth.origin.nonce) return true;
  const [one, other] = [a.transaction.auth.sponsor, b.transaction.auth.sponsor];
  return a.sponsor !== undefined && a.sponsor === b.sponsor && one?.nonce === other?.nonce;
}
