import { toHex } from '@cairn-stacks/codec/hex';
import { addressOf, type PrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import { buildTransaction, singleSig } from '@cairn-stacks/codec/transaction/build';
import { type Payload, writePayload } from '@cairn-stacks/codec/transaction/payload';
import { signOrigin } from '@cairn-stacks/codec/transaction/signing';
import { encodeTransaction, TransactionVersion, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import { Writer } from '@cairn-stacks/codec/writer';
import { failed, Line, outOfFunds, unavailable } from './faucet.ts';

/** What a node said to a transaction: nothing against it, or its reason. */
export type BroadcastResult =
  | { accepted: true }
  | { accepted: false; reason: string; expectedNonce?: number | undefined };

/** What the faucet needs of the nodes and of the index. */
export type StacksAccess = {
  /** The next nonce that the chain expects of an account. */
  nextNonce(address: string): Promise<number>;
  /** Nonces of the account that are pending. */
  pendingNonces(address: string): Promise<readonly number[]>;
  /** What a transaction with these bytes as payload should pay; throws where no node has an opinion. */
  estimateFee(payload: Uint8Array, size: number): Promise<bigint>;
  /** Sends it to the nodes; throws where none has judged it. */
  send(raw: Uint8Array): Promise<BroadcastResult>;
};

export type Given = { txId: string; txRaw: string };

export type StacksFaucetOptions = {
  chainId: number;
  /** Tried in order: the next one if one has run dry or has too many pending transactions. */
  keys: readonly PrivateKey[];
  access: StacksAccess;
};

type Purse = { key: PrivateKey; publicKey: Uint8Array; address: string; sent: Set<number> };

const USUAL_FEE = 200n;
const MAX_FEE = 1_000_000n;
const MAX_TRIES = 30;
/** Reasons of nodes that another account would not meet. */
const DRY = new Set(['NotEnoughFunds', 'TooMuchChaining']);

/** Makes, signs and sends transactions from accounts of its own on a test network, one after the other. */
export class StacksFaucet {
  readonly #options: StacksFaucetOptions;
  readonly #purses: Purse[];
  readonly #line = new Line();

  constructor(options: StacksFaucetOptions) {
    this.#options = options;
    this.#purses = options.keys.map(key => {
      const publicKey = publicKeyOf(key);
      return { key, publicKey, address: addressOf(publicKey, TransactionVersion.testnet), sent: new Set() };
    });
  }

  /** Gives by the payload that an account of the faucet is to sign. */
  async give(payloadOf: (from: string) => Payload): Promise<Given> {
    return await this.#line.run(async () => {
      for (const purse of this.#purses) {
        const given = await this.#from(purse, payloadOf(purse.address));
        if (given) return given;
      }
      throw outOfFunds();
    });
  }

  /** Undefined when this account cannot give now. */
  async #from(purse: Purse, payload: Payload): Promise<Given | undefined> {
    const { access } = this.#options;
    const [next, pending] = await Promise.all([access.nextNonce(purse.address), access.pendingNonces(purse.address)]);
    const fee = await this.#feeOf(payload, purse);
    // What was just sent may not be known anywhere yet; what is mined no longer matters.
    for (const nonce of purse.sent) if (nonce < next) purse.sent.delete(nonce);
    const taken = new Set([...pending, ...purse.sent]);
    let nonce = next;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      while (taken.has(nonce)) nonce++;
      const { raw, given } = this.#sign(purse, payload, nonce, fee);
      const judged = await access.send(raw);
      if (judged.accepted) {
        purse.sent.add(nonce);
        return given;
      }
      if (DRY.has(judged.reason)) return undefined;
      if (judged.reason === 'ConflictingNonceInMempool') taken.add(nonce);
      else if (judged.reason === 'BadNonce') nonce = Math.max(nonce + 1, judged.expectedNonce ?? 0);
      else throw failed();
    }
    throw unavailable();
  }

  async #feeOf(payload: Payload, purse: Purse): Promise<bigint> {
    const { raw } = this.#sign(purse, payload, 0, USUAL_FEE);
    const writer = new Writer();
    writePayload(writer, payload);
    // The faucet also works with a node that has too little data for an estimate.
    const estimate = await this.#options.access.estimateFee(writer.finish(), raw.length).catch(() => USUAL_FEE);
    if (estimate < USUAL_FEE) return USUAL_FEE;
    return estimate > MAX_FEE ? MAX_FEE : estimate;
  }

  #sign({ key, publicKey }: Purse, payload: Payload, nonce: number, fee: bigint): { raw: Uint8Array; given: Given } {
    const unsigned = buildTransaction({
      version: TransactionVersion.testnet,
      chainId: this.#options.chainId,
      payload,
      // What a contract of others moves is its own affair; a transfer moves what it says.
      postConditionMode: payload.type === 'contract_call' ? 'allow' : 'deny',
      origin: singleSig(publicKey, { nonce: BigInt(nonce), fee }),
    });
    const raw = encodeTransaction(signOrigin(unsigned, key));
    return { raw, given: { txId: toHex(transactionId(raw)), txRaw: toHex(raw) } };
  }
}
