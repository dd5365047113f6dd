import { payingCondition } from '../../codec/transaction/transaction.ts';
import type { BranchState } from '../chain/branch-state.ts';
import type { Message } from '../chain/message-text.ts';
import { dropMessage, mempoolMessage } from '../chain/side-messages.ts';
import { type Rejection, rejecter } from './admission.ts';
import type { Submission } from './submission.ts';

/** A transaction that waits, since when (Unix seconds) and since which height. */
export type Waiting = Submission & { since: number; height: number };

/** Seconds after which a node forgets what nobody has mined: 256 times ten minutes. */
export const expirySeconds = 153_600;

const feeOf = ({ transaction }: Submission) => payingCondition(transaction).fee;

/** What waits to be mined: one transaction for each nonce of an origin and of a sponsor. */
export class NodeMempool {
  readonly #byId = new Map<string, Waiting>();
  readonly #tell: (message: Message) => void;

  constructor(tell: (message: Message) => void) {
    this.#tell = tell;
  }

  get size(): number {
    return this.#byId.size;
  }

  has(txId: string): boolean {
    return this.#byId.has(txId);
  }

  get(txId: string): Waiting | undefined {
    return this.#byId.get(txId);
  }

  list(): Waiting[] {
    return [...this.#byId.values()];
  }

  /** Takes an admitted transaction in, unless a dearer one has its nonce. */
  add(submission: Submission, since: number, height: number): Rejection | undefined {
    if (this.#byId.has(submission.txId)) return rejecter(submission.txId.slice(2))('ConflictingNonceInMempool');
    const rivals = this.list().filter(waiting => conflicts(waiting, submission));
    if (rivals.some(rival => feeOf(rival) >= feeOf(submission))) {
      return rejecter(submission.txId.slice(2))('ConflictingNonceInMempool');
    }
    this.restore({ ...submission, since, height });
    this.#tell(mempoolMessage([submission]));
    for (const rival of rivals) this.drop(rival.txId, 'ReplaceByFee', submission.txId);
    return undefined;
  }

  /** Puts a transaction back without a word. */
  restore(waiting: Waiting): void {
    this.#byId.set(waiting.txId, waiting);
  }

  drop(txId: string, reason: Parameters<typeof dropMessage>[1], newTxId: string | null = null): void {
    if (this.#byId.delete(txId)) this.#tell(dropMessage([txId], reason, newTxId));
  }

  /** Forgets what is mined or can never be; a node says nothing about those. */
  settle(mined: readonly string[], state: BranchState): void {
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
      this.#tell(
        dropMessage(
          old.map(each => each.txId),
          'StaleGarbageCollect',
        ),
      );
  }

  /** As a node that was started again: what waited is gone, and nobody is told. */
  clear(): void {
    this.#byId.clear();
  }
}

function conflicts(a: Submission, b: Submission): boolean {
  if (a.sender === b.sender && a.transaction.auth.origin.nonce === b.transaction.auth.origin.nonce) return true;
  const [one, other] = [a.transaction.auth.sponsor, b.transaction.auth.sponsor];
  return a.sponsor !== undefined && a.sponsor === b.sponsor && one?.nonce === other?.nonce;
}
