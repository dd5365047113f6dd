import type { Static } from 'typebox';
import type { RosettaErrorBody as ErrorBody } from './schemas/rosetta.ts';

type RosettaErrorBody = Static<typeof ErrorBody>;

/** Every error of Rosetta responses: code → message, and whether the same request may succeed later. */
const ERRORS = {
  601: ['Invalid Account.', true],
  602: ['Insufficient Funds.', false],
  603: ['Account is empty.', false],
  604: ['Invalid block index.', false],
  605: ['Block not found.', true],
  606: ['Invalid block hash.', true],
  607: ['Transaction not found.', true],
  608: ['Invalid transaction hash.', true],
  609: ['Invalid params.', false],
  610: ['Invalid network.', false],
  611: ['Invalid blockchain.', false],
  612: ['Unknown error.', false],
  613: ['Network identifier object is null.', false],
  614: ['Account identifier object is null.', false],
  615: ['Block identifier is null.', false],
  616: ['Transaction identifier is null.', true],
  617: ['Blockchain name is null.', false],
  618: ['Network name is null.', false],
  619: ['Invalid curve type.', false],
  620: ['invalid public key.', false],
  621: ['Invalid operation', false],
  622: ['Invalid fee', false],
  623: ['Invalid symbol', false],
  624: ['Invalid currency decimals', false],
  625: ['Invalid transaction type', false],
  626: ['Invalid sender address', false],
  627: ['Invalid recipient address', false],
  628: ['Invalid transaction string', false],
  629: ['Transaction not signed', false],
  630: ['Amount not available', false],
  631: ['Fees not available', false],
  632: ['Public key not available', false],
  633: ['no signature found', false],
  634: ['Invalid Signature', false],
  635: ['Signature(s) not verified with this public key(s)', false],
  636: ['Need one public key for single signature', false],
  637: ['Need only one signature', false],
  638: ['Signature type not supported.', false],
  639: ['Transaction size required to calculate total fee.', false],
  640: ['Account not eligible for stacking.', false],
  641: ['Invalid sub-account', false],
  642: ['Missing sender address', false],
  643: ['Missing transaction nonce', false],
  644: ['Missing contract address', false],
  645: ['Missing contract name', false],
  646: ['Service unavailable.', true],
} as const satisfies Record<number, readonly [message: string, retriable: boolean]>;

export type ErrorCode = keyof typeof ERRORS;

/** What to change, where an error does not say it itself. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  601: 'the address must be one of this network, as `/construction/derive` returns it',
  604: 'the index must be a height from 0 on; leave index and hash out for the newest block',
  605: 'no block of this chain has this index or hash; `/network/status` names the newest one',
  606: 'the hash must be 32 bytes in hex; leave index and hash out for the newest block',
  607: 'no such transaction is there; `/search/transactions` finds the block of a transaction by its id',
  608: 'the id of a transaction is 32 bytes in hex',
  609: '`signed` must say whether the transaction has a signature',
  610: '`/network/list` names the network',
  611: 'the blockchain is `stacks`',
  619: '`curve_type` must be secp256k1',
  620: '`hex_bytes` must be a secp256k1 public key of 33 or 65 bytes in hex',
  621: 'give a fee and either two token_transfer or one operation of a type that `docs/rosetta.md` lists',
  622: 'the fee must be a positive amount of STX',
  623: 'the symbol of the currency must be STX',
  624: 'the currency STX has 6 decimals',
  625: 'the type must be one that can be constructed, such as token_transfer or contract_call',
  626: 'the sender must be the address of an account on this network, without a contract name',
  627: 'the recipient must be an account or a contract of this network',
  628: 'the transaction must be the hex of a whole serialized transaction',
  629: 'sign the transaction and add the signature with `/construction/combine` first',
  630: 'a transfer needs a token_transfer operation of its recipient with a positive amount',
  631: 'add an operation of type fee with the account of the sender and a negative amount',
  632: 'give the public key of the sender in `public_keys`',
  633: 'give the signature of the sender in `signatures`',
  634: 'the signature must be 65 bytes in hex: r, s and the recovery id',
  635: 'the key of the sender must sign the `hex_bytes` that `/construction/payloads` returned',
  636: '`public_keys` must have the key of the sender, or all keys of an account of several keys in their order',
  637: '`signatures` must have one signature of the sender, or as many as an account of several keys needs',
  638: '`signature_type` must be ecdsa_recovery',
  639: 'give `size`, as `/construction/preprocess` returns it, or `fee`',
  641: 'the address of the sub-account must be SpendableBalance, StackedBalance, VestingLockedBalance or VestingUnlockedBalance',
  642: 'give `sender_address`, as `/construction/preprocess` returns it',
  643: 'give `account_sequence` in the metadata, as `/construction/metadata` returns it',
  644: 'give `contract_address` in the metadata, as `/construction/metadata` returns it',
  645: 'give `contract_name` in the metadata, as `/construction/metadata` returns it',
};

/** The database or every node is unavailable. Clients of the incumbent do not know this code. */
export const UNAVAILABLE = 646;

/** The only status of an error that clients of the specification read. */
const ERROR_STATUS = 500;

/** An error object of the specification. */
export class RosettaError extends Error {
  override name = 'RosettaError';
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  /** The HTTP status for clients of the incumbent. */
  readonly compatStatus: number;

  /** `detail` says what to change; it is sent as `details.message`. */
  constructor(code: ErrorCode, detail?: string, compatStatus = 400) {
    super(detail ?? ERRORS[code][0]);
    this.code = code;
    this.detail = detail;
    this.compatStatus = compatStatus;
  }

  /** The response: always status 500 with details, or as clients of the incumbent expect it. */
  response(compat: boolean): { status: number; body: RosettaErrorBody } {
    const message = this.detail ?? (compat ? undefined : ADVICE[this.code]);
    const body = { ...describeError(this.code), ...(message !== undefined && { details: { message } }) };
    return { status: compat ? this.compatStatus : ERROR_STATUS, body };
  }
}

function describeError(code: ErrorCode) {
  const [message, retriable] = ERRORS[code];
  return { code, message, retriable };
}

/** All errors as `/network/options` lists them. */
export function listErrors(compat: boolean) {
  const codes = Object.keys(ERRORS).map(code => Number(code) as ErrorCode);
  return codes.filter(code => !compat || code !== UNAVAILABLE).map(describeError);
}
