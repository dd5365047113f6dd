import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import {
  decodeTransaction,
  payingCondition,
  type Transaction,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { verifyTransaction } from '@cairn-stacks/codec/transaction/verification';
import type { BranchState } from '../chain/branch-state.ts';
import { argumentProblem } from '../contracts/argument-type.ts';
import { functionOf } from '../contracts/contract-model.ts';
import { modelOf } from '../contracts/model-list.ts';
import { type Submission, submissionOf } from './submission.ts';

/** A rejection as a node words it. */
export type Rejection = { error: string; reason: string; reason_data?: Record<string, unknown>; txid: string };

/** How far ahead of an account a nonce may be. */
const maximumChain = 25n;
const maxBytes = 2 << 20;

export type AdmissionRules = {
  network: Network;
  /** False trusts the signatures, which is fifty times faster. */
  verify: boolean;
  /** Poison microblocks are taken only in the era of microblocks. */
  microblocks: boolean;
  /** True takes any fee, as blocks do; the mempool wants one for each byte. */
  anyFee?: boolean;
};

/** Judges a transaction by the state of the tip; the mempool judges conflicts. */
export function admit(bytes: Uint8Array, state: BranchState, rules: AdmissionRules): Submission | Rejection {
  const txId = bareHex(transactionId(bytes));
  const reject = rejecter(txId);
  if (bytes.length > maxBytes) return reject('Deserialization', { message: `more than ${maxBytes} bytes` });
  let transaction: Transaction;
  try {
    transaction = decodeTransaction(bytes);
  } catch (error) {
    if (!(error instanceof CodecError || error instanceof RangeError)) throw error;
    return reject('Deserialization', { message: error.message });
  }
  const { network } = rules;
  const { payload } = transaction;
  if (payload.type === 'unknown') return reject('Deserialization', { message: `unknown payload ${payload.id}` });
  if (transaction.version < 0x80 !== network.mainnet || transaction.chainId !== network.chainId) {
    return reject('BadTransactionVersion');
  }
  if (/coinbase/.test(payload.type)) return reject('NoCoinbaseViaMempool');
  if (payload.type === 'tenure_change') return reject('NoTenureChangeViaMempool');
  if (payload.type === 'poison_microblock' && !rules.microblocks) return reject('PoisonMicroblocksDoNotConflict');
  const { fee } = payingCondition(transaction);
  const expected = BigInt(Math.max(1, bytes.length));
  if (!rules.anyFee && fee < expected) return reject('FeeTooLow', { expected: Number(expected), actual: Number(fee) });
  if (rules.verify) {
    const verdict = verifyTransaction(transaction);
    if (!verdict.valid) return reject('SignatureValidation', { message: `${verdict.role}: ${verdict.reason}` });
  }
  const submission = submissionOf(toHex(bytes), `0x${txId}`, transaction);
  return nonceRejection(submission, state, txId) ?? payloadRejection(submission, state, network, txId) ?? submission;
}

export const isRejection = (result: Submission | Rejection): result is Rejection => 'error' in result;

/** Makes rejections of one transaction. */
export const rejecter =
  (txId: string) =>
  (reason: string, data?: Record<string, unknown>): Rejection => ({
    error: 'transaction rejected',
    reason,
    ...(data && { reason_data: data }),
    txid: txId,
  });

function nonceRejection({ transaction, sender, sponsor }: Submission, state: BranchState, txId: string) {
  const { origin, sponsor: paying } = transaction.auth;
  const signers = [
    { principal: sender, nonce: origin.nonce, is_origin: true },
    ...(sponsor === undefined ? [] : [{ principal: sponsor, nonce: paying!.nonce, is_origin: false }]),
  ];
  for (const { principal, nonce, is_origin } of signers) {
    const next = state.nonce(principal);
    const data = { expected: Number(next), actual: Number(nonce), is_origin, principal };
    if (nonce < next) return rejecter(txId)('BadNonce', data);
    if (nonce > next + 1n + maximumChain) {
      const message = `Nonce would exceed chaining limit in mempool. Expected ${next + 1n + maximumChain} at most`;
      return rejecter(txId)('TooMuchChaining', { ...data, message });
    }
  }
  return undefined;
}

const amountHex = (amount: bigint) => `0x${amount.toString(16).padStart(32, '0')}`;

function payloadRejection(
  { transaction, sender, sponsor }: Submission,
  state: BranchState,
  network: Network,
  txId: string,
) {
  const reject = rejecter(txId);
  const { payload } = transaction;
  const { fee } = payingCondition(transaction);
  const needs = new Map([[sponsor ?? sender, fee]]);
  if (payload.type === 'token_transfer') {
    const recipient = formatPrincipal(payload.recipient);
    if (payload.amount === 0n) return reject('TransferAmountMustBePositive');
    if (recipient === sender) return reject('TransferRecipientCannotEqualSender', { recipient });
    if (recipient.startsWith('SP') || recipient.startsWith('SM')) {
      if (!network.mainnet) return reject('BadAddressVersionByte');
    }
    needs.set(sender, (needs.get(sender) ?? 0n) + payload.amount);
  }
  for (const [who, amount] of needs) {
    const has = state.spendable(who);
    if (has < amount) return reject('NotEnoughFunds', { expected: amountHex(amount), actual: amountHex(has) });
  }
  const malformed = 'source' in payload ? deployProblem(payload) : undefined;
  if (malformed !== undefined) return reject('Deserialization', { message: malformed });
  if ('source' in payload && state.contracts.has(`${sender}.${payload.name}`)) {
    return reject('ContractAlreadyExists', { contract_identifier: `${sender}.${payload.name}` });
  }
  return payload.type === 'contract_call' ? callRejection(payload, state, network, txId) : undefined;
}

/** The longest name of a contract that a node deploys. */
const maxContractName = 40;

/** Why a node cannot read a deployment: its name is too long, or its source has characters that no source may have. */
function deployProblem({ name, source }: Extract<Payload, { source: Uint8Array }>): string | undefined {
  if (name.length > maxContractName) return `Failed to parse contract name: ${name.length} characters`;
  const position = source.findIndex(byte => byte > 126 || (byte < 32 && byte !== 9 && byte !== 10));
  return position < 0 ? undefined : `Invalid contract source: byte 0x${source[position]!.toString(16)} at ${position}`;
}

type Call = Extract<Payload, { type: 'contract_call' }>;

function callRejection(payload: Call, state: BranchState, network: Network, txId: string) {
  const reject = rejecter(txId);
  const model = modelOf(state, formatPrincipal(payload.contract), network);
  if (!model) return reject('NoSuchContract');
  const called = functionOf(model, payload.functionName);
  if (called?.access !== 'public') return reject('NoSuchPublicFunction');
  const problem = argumentProblem(
    called.args,
    payload.args.map(arg => decodeClarity(arg)),
  );
  return problem === undefined ? undefined : reject('BadFunctionArgument', { message: problem });
}
