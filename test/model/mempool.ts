import { fromHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction, payingCondition, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import type { BuiltBlock, BuiltMicroblock } from '@cairn-stacks/devnet/chain/built-block';
import { chooseChain } from '@cairn-stacks/devnet/chain/fork-choice';
import { originOf, sponsorOf } from '../../src/chain/pox/signer.ts';
import { payloadIds } from '../../src/chain/transaction.ts';

/** A message in the log, with the time of its receipt in seconds and its source. */
export type LoggedMessage = { at: number; source: string } & (
  | { kind: 'block'; block: BuiltBlock }
  | { kind: 'microblock'; anchor: BuiltBlock; built: BuiltMicroblock }
  | { kind: 'arrivals'; raws: string[] }
  | { kind: 'drop'; txIds: string[]; reason: string; replacedBy: string | null }
);

type Signed = { txId: string; fee: bigint; signers: string[]; type: number };
type Receipt = { seen: boolean; at: number; height: number; tenure: number; holders: Set<string> };
type Row = Signed &
  Receipt & {
    status: 'pending' | 'dropped' | 'streamed';
    reason: string;
    replacedBy: string;
    droppedAt: number;
    droppedTenure: number;
  };

/** All sources that are not nodes: recordings, and blocks that a fork removed. */
const notANode = 'not a node';

const nakamoto = (block: BuiltBlock) => block.body !== undefined && 'block_time' in block.body && block.body.block_time;
const tenureOf = ({ body, height }: BuiltBlock) => (body as { tenure_height?: number }).tenure_height ?? height;

/** A second, simple implementation of the mempool rules: it searches lists and caches nothing. */
export class MempoolModel {
  rows = new Map<string, Row>();
  unread = 0;
  #chain: BuiltBlock[] = [];
  readonly #arrived: BuiltBlock[] = [];
  readonly #blockTimes = new Map<string, number>();
  readonly #receipts = new Map<string, Receipt>();
  readonly #lastSeen = new Map<string, number>();

  apply(message: LoggedMessage): void {
    const { at } = message;
    const source = message.source.startsWith('node ') ? message.source : notANode;
    if (message.kind === 'block') this.#block(message.block, at);
    if (message.kind === 'microblock') this.#microblock(message.anchor, message.built, at);
    if (message.kind === 'arrivals') {
      this.#lastSeen.set(source, at);
      for (const raw of message.raws) this.#arrive(raw, at, source);
    }
    if (message.kind === 'drop') {
      this.#lastSeen.set(source, at);
      for (const id of message.txIds) {
        const row = this.rows.get(id);
        if (row?.status === 'pending') this.#letGo(row, source, at, message.reason, message.replacedBy ?? '');
      }
    }
  }

  pending(): Row[] {
    return [...this.rows.values()].filter(row => row.status === 'pending');
  }

  get #tip() {
    const tip = this.#chain.at(-1);
    return tip && tip.height > 0 ? { height: tip.height, tenure: tenureOf(tip) } : { height: -1, tenure: -1 };
  }

  #arrive(raw: string, at: number, source: string): void {
    const signed = read(raw);
    if (!signed) {
      this.unread++;
      return;
    }
    if (this.#chain.some(block => block.transactions.some(t => t.txId === `0x${signed.txId}`))) return;
    let row = this.rows.get(signed.txId);
    if (!row || row.status === 'dropped') {
      row = fresh(signed, { seen: true, at, ...this.#tip, holders: new Set([source]) });
      this.rows.set(signed.txId, row);
    } else row.holders.add(source);
    if (row.status !== 'pending') return;
    for (const rival of this.pending()) {
      if (rival === row || !shares(rival, row.signers) || rival.fee >= row.fee || !rival.holders.has(source)) continue;
      this.#letGo(rival, source, at, 'ReplaceByFee', row.txId);
    }
  }

  #letGo(row: Row, source: string, at: number, reason: string, replacedBy: string): void {
    for (const holder of [...row.holders]) {
      const silent = at - (this.#lastSeen.get(holder) ?? 0) > 3_600;
      if (holder === source || silent || holder === notANode) row.holders.delete(holder);
    }
    if (row.holders.size === 0) this.#close(row, at, reason, replacedBy);
  }

  #close(row: Row, at: number, reason: string, replacedBy: string): void {
    Object.assign(row, { status: 'dropped', reason, replacedBy, droppedAt: at, droppedTenure: this.#tip.tenure });
  }

  #microblock(anchor: BuiltBlock, { transactions }: BuiltMicroblock, at: number): void {
    if (this.#chain.at(-1)?.indexHash !== anchor.indexHash || anchor.height === 0) return;
    for (const { raw } of transactions) {
      const signed = read(raw)!;
      const row = this.rows.get(signed.txId);
      if (row?.status === 'pending') row.status = 'streamed';
      if (row && row.status !== 'dropped') continue;
      const receipt = { seen: false, at, ...this.#tip, holders: new Set([notANode]) };
      this.rows.set(signed.txId, { ...fresh(signed, receipt), status: 'streamed' });
    }
  }

  #block(block: BuiltBlock, at: number): void {
    if (!this.#blockTimes.has(block.indexHash)) this.#blockTimes.set(block.indexHash, at);
    this.#arrived.push(block);
    const before = this.#chain;
    // Choosing takes long for long chains, and a child of the tip always wins.
    const after =
      before.length > 0 && block.parent === before.at(-1)
        ? [...before, block]
        : chooseChain(this.#arrived.map(b => ({ block: b })));
    let common = 0;
    while (common < before.length && before[common]?.indexHash === after[common]?.indexHash) common++;
    this.#chain = after.slice(0, common);
    const orphans = before.slice(common);
    if (orphans.length > 0) this.#release();
    for (const orphan of orphans) this.#orphan(orphan);
    for (const next of after.slice(common)) {
      this.#chain.push(next);
      if (next.height > 0) this.#apply(next);
    }
  }

  #release(): void {
    for (const row of this.rows.values()) if (row.status === 'streamed') row.status = 'pending';
  }

  #orphan(block: BuiltBlock): void {
    for (const { raw } of block.transactions) {
      const signed = read(raw);
      if (!signed) continue;
      const at = this.#blockTimes.get(block.indexHash)!;
      const unseen = { seen: false, at, height: block.height, tenure: tenureOf(block), holders: new Set([notANode]) };
      const known = this.#receipts.get(`${block.indexHash} ${signed.txId}`);
      this.rows.set(signed.txId, fresh(signed, known ? { ...known, holders: new Set(known.holders) } : unseen));
    }
  }

  #apply(block: BuiltBlock): void {
    const at = this.#blockTimes.get(block.indexHash)!;
    this.#release();
    // What its microblocks hold was executed first.
    for (const { raw } of block.transactions.toSorted((x, y) => Number(!x.microblock) - Number(!y.microblock))) {
      const signed = read(raw);
      if (!signed) continue;
      const row = this.rows.get(signed.txId);
      const id = `${block.indexHash} ${signed.txId}`;
      this.#receipts.delete(id);
      if (row?.seen) this.#receipts.set(id, row.status === 'dropped' ? { ...row, holders: new Set([notANode]) } : row);
      this.rows.delete(signed.txId);
      for (const rival of this.pending()) {
        if (shares(rival, signed.signers)) this.#close(rival, at, 'ReplaceByFee', signed.txId);
      }
    }
    for (const row of this.pending()) {
      const old = nakamoto(block) ? row.at < at - 153_600 : row.tenure >= 0 && row.tenure < tenureOf(block) - 256;
      if (old) this.#close(row, at, 'StaleGarbageCollect', '');
    }
    for (const [id, row] of this.rows) {
      if (row.status === 'dropped' && row.droppedTenure < tenureOf(block) - 1_008) this.rows.delete(id);
    }
  }
}

const fresh = (signed: Signed, receipt: Receipt): Row => ({
  ...signed,
  ...receipt,
  status: 'pending',
  reason: '',
  replacedBy: '',
  droppedAt: 0,
  droppedTenure: 0,
});

const shares = (row: Row, signers: string[]) => row.signers.some(signer => signers.includes(signer));

/** Undefined for what is no transaction that somebody sent. */
function read(raw: string): Signed | undefined {
  try {
    const bytes = fromHex(raw);
    const transaction = decodeTransaction(bytes);
    if (transaction.chainId !== 0x8000_0000) return undefined;
    const { auth } = transaction;
    return {
      txId: Buffer.from(transactionId(bytes)).toString('hex'),
      fee: payingCondition(transaction).fee,
      signers: [
        `${originOf(transaction)} ${auth.origin.nonce}`,
        ...(auth.sponsor ? [`${sponsorOf(transaction)} ${auth.sponsor.nonce}`] : []),
      ],
      type: payloadIds[transaction.payload.type],
    };
  } catch {
    return undefined;
  }
}
