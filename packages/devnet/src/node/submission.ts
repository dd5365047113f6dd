import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { bool, buffer, err, none, ok, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { hash160 } from '@cairn-stacks/codec/hash';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import {
  decodeTransaction,
  payingCondition,
  senderAddress,
  sponsorAddress,
  type Transaction,
} from '@cairn-stacks/codec/transaction/transaction';
import type { BranchState } from '../chain/branch-state.ts';
import { type CostJson, type Executed, freeOfCost } from '../chain/executed.ts';
import type { BlockContext } from '../chain/execution.ts';
import { postConditionProblem } from '../chain/post-condition-check.ts';
import { ClarityError } from '../clarity/syntax.ts';
import { argumentProblem } from '../contracts/argument-type.ts';
import {
  type CallContext,
  commitWrites,
  functionOf,
  interfaceOf,
  type Outcome,
  VmFailure,
  variableKey,
} from '../contracts/contract-model.ts';
import { modelOf, modelOfSource, recordModel } from '../contracts/model-list.ts';
import { itemNumber } from '../contracts/token-contract.ts';
import { deployUserContract, recordPublished, sourceKey } from '../contracts/user-contract.ts';

/** A submitted transaction, decoded once. */
export type Submission = {
  txId: string;
  raw: string;
  transaction: Transaction;
  sender: string;
  sponsor: string | undefined;
};

export function submissionOf(raw: string, txId: string, transaction = decodeTransaction(fromHex(raw))): Submission {
  return { raw, txId, transaction, sender: senderAddress(transaction), sponsor: sponsorAddress(transaction) };
}

const callCost: CostJson = { runtime: 16_300, read_count: 6, read_length: 1_900, write_count: 2, write_length: 120 };
const deployCost: CostJson = { runtime: 52_000, read_count: 3, read_length: 40, write_count: 6, write_length: 2_600 };

/** Whether the nonces and the balances of the signers admit a transaction to the next block. */
export function isMinable({ transaction, sender, sponsor }: Submission, state: BranchState): boolean {
  const { origin, sponsor: paying } = transaction.auth;
  if (origin.nonce !== state.nonce(sender)) return false;
  if (sponsor !== undefined && paying!.nonce !== state.nonce(sponsor)) return false;
  return state.spendable(sponsor ?? sender) >= payingCondition(transaction).fee;
}

/** Runs a transaction that is minable: takes the fee, moves nonces, and commits what its post-conditions allow. */
export function runSubmission(submission: Submission, state: BranchState, where: BlockContext): Executed {
  const { transaction, sender, sponsor, raw, txId } = submission;
  const { payload } = transaction;
  const { fee } = payingCondition(transaction);
  for (const who of sponsor === undefined ? [sender] : [sender, sponsor]) state.nonces.set(who, state.nonce(who) + 1n);
  state.debit(sponsor ?? sender, fee);

  const { outcome, vmError } = outcomeOf(payload, sender, state, where);
  const refused = outcome.result.type === 'err';
  const events = refused ? [] : (outcome.events ?? []);
  const problem = refused || payload.type === 'token_transfer' ? undefined : postConditionProblem(transaction, events);
  const succeeds = !refused && problem === undefined;
  if (succeeds) {
    state.apply(events, itemNumber);
    commitWrites(state, outcome.writes ?? []);
  }
  return {
    txId,
    raw,
    status: succeeds ? 'success' : refused ? 'abort_by_response' : 'abort_by_post_condition',
    result: encodeClarity(outcome.result),
    events: succeeds ? events : [],
    uncommitted: problem === undefined ? [] : events,
    contractInterface: succeeds ? deployInterface(payload, sender, state, where) : null,
    burnOperation: null,
    cost: payload.type === 'contract_call' ? callCost : payload.type === 'token_transfer' ? freeOfCost : deployCost,
    vmError: problem ?? vmError ?? null,
    fee,
  };
}

type Ran = { outcome: Outcome; vmError?: string };

function outcomeOf(payload: Payload, sender: string, state: BranchState, where: BlockContext): Ran {
  switch (payload.type) {
    case 'token_transfer': {
      const { amount, memo } = payload;
      const recipient = formatPrincipal(payload.recipient);
      if (state.spendable(sender) < amount) return { outcome: { result: err(uint(1)) } };
      const events = [{ kind: 'stx_transfer' as const, sender, recipient, amount, memo }];
      return { outcome: { result: ok(bool(true)), events } };
    }
    case 'smart_contract':
    case 'versioned_smart_contract':
      return deployOutcome(payload, contextOf(contractOf(payload, sender), sender, state, where));
    case 'contract_call':
      return callOutcome(payload, sender, state, where);
    case 'poison_microblock': {
      const result = tuple({
        block_height: uint(where.burnHeight),
        microblock_pubkey_hash: buffer(hash160(payload.header1.signature)),
        reporter: principal(sender),
        sequence: uint(payload.header1.sequence),
      });
      return { outcome: { result } };
    }
    default:
      throw new Error(`${payload.type} is never sent by an account`);
  }
}

type Deploy = Extract<Payload, { source: Uint8Array }>;

const contractOf = ({ name }: Deploy, sender: string) => `${sender}.${name}`;
const sourceOf = ({ source }: Deploy) => Buffer.from(source).toString('utf8');

/** The context of a transaction that calls or deploys a contract. */
const contextOf = (contract: string, sender: string, state: BranchState, where: BlockContext): CallContext => ({
  ...{ state, contract, sender, caller: sender, height: where.height, burnHeight: where.burnHeight },
  ...{ mainnet: where.network.mainnet, chainId: where.network.chainId, verify: where.sign },
});

const failed = (vmError: string): Ran => ({ outcome: { result: err(none) }, vmError });

function deployOutcome(payload: Deploy, context: CallContext): Ran {
  const { contract, state } = context;
  if (state.contracts.has(contract)) return failed(`Contract already exists: ${contract}`);
  const source = sourceOf(payload);
  const model = modelOfSource(source);
  try {
    const writes = model
      ? Object.entries(model.initial ?? {}).map(([name, value]) => ({ key: variableKey(contract, name), value }))
      : deployUserContract(source, context);
    return { outcome: { result: ok(bool(true)), writes } };
  } catch (error) {
    if (error instanceof ClarityError) return failed(`:0:0: ${error.message}`);
    throw error;
  }
}

/** Stores a deployed contract, and returns its interface. */
function deployInterface(payload: Payload, sender: string, state: BranchState, where: BlockContext) {
  if (!('source' in payload)) return null;
  const contract = contractOf(payload, sender);
  const source = sourceOf(payload);
  const model = modelOfSource(source);
  const { nakamoto } = where.release;
  const version = 'clarityVersion' in payload ? payload.clarityVersion : nakamoto ? 3 : 2;
  const epoch = nakamoto ? 'Epoch33' : 'Epoch24';
  state.contracts.add(contract);
  state.data.set(sourceKey(contract), source);
  recordPublished(state, contract, { height: where.height, epoch, clarityVersion: `Clarity${version}` });
  if (model) recordModel(state, contract, model);
  return interfaceOf(modelOf(state, contract, where.network)!, nakamoto);
}

type Call = Extract<Payload, { type: 'contract_call' }>;

function callOutcome(payload: Call, sender: string, state: BranchState, where: BlockContext): Ran {
  const contract = formatPrincipal(payload.contract);
  const { functionName } = payload;
  const called = functionOf(modelOf(state, contract, where.network), functionName);
  if (called?.access !== 'public') return failed(`${contract} has no public function ${functionName}`);
  const args = payload.args.map(arg => decodeClarity(arg));
  const problem = argumentProblem(called.args, args);
  if (problem !== undefined) return failed(problem);
  try {
    return { outcome: called.run(contextOf(contract, sender, state, where), args) };
  } catch (error) {
    if (error instanceof VmFailure) return failed(error.message);
    throw error;
  }
}
