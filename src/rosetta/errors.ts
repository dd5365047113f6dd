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

/** The database or every node is unavailable. Clients of the incumbent do not know this code. */
export const UNAVAILABLE = 646;

/** An error object of the specification, with its HTTP status. */
export class RosettaError extends Error {
  override name = 'RosettaError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | undefined;

  /** `detail` says what to change; it is sent as `details.message`. */
  constructor(code: ErrorCode, detail?: string, status = 400) {
    super(detail ?? ERRORS[code][0]);
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  get body(): { code: number; message: string; retriable: boolean; details?: { message: string } } {
    return { ...describeError(this.code), ...(this.detail !== undefined && { details: { message: this.detail } }) };
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
