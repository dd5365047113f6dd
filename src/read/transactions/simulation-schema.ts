import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import { postConditionJson } from '@cairn-stacks/codec/transaction/post-condition-json';
import {
  POST_CONDITION_MODES,
  payingCondition,
  senderAddress,
  sponsorAddress,
  type Transaction,
} from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { type Asset, balanceChanges } from '../../chain/balance-changes.ts';
import { postConditionOutcome, type Uncovered } from '../../chain/post-condition-outcome.ts';
import type { Simulation } from '../../node/simulation.ts';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { TransactionEvent } from '../events/event-schema.ts';
import { renderUnstored } from '../events/simulated-event-schema.ts';
import { knownValues } from '../pages/known-values.ts';
import { balanceChangeFields } from '../principals/balance-change-schema.ts';
import { renderAmounts } from '../principals/principal-transaction-schema.ts';
import { ExecutionCost, renderExecutionCost } from './execution-cost-schema.ts';
import { PostCondition } from './post-condition-schema.ts';

/** A block holds at most 2 MiB. */
const MAX_HEX = 2 * (2 << 20) + 2;
/** The longest request: the transaction with the JSON around it. */
export const LARGEST_BODY = MAX_HEX + 1024;

/** What is simulated. */
export const SimulationRequest = Type.Object(
  {
    transaction: Type.String({
      pattern: '^(0x)?[0-9a-fA-F]+$',
      maxLength: MAX_HEX,
      description:
        'The serialized transaction in hex: signed, with the next nonce of its sender, and with a fee that the sender has.',
    }),
  },
  { title: 'SimulationRequest' },
);

const SimulatedBalanceChange = Type.Object(
  { principal: Type.String({ description: 'Whose balance changes.' }), ...balanceChangeFields },
  { title: 'SimulatedBalanceChange' },
);

const ConditionOutcome = Type.Object(
  {
    condition: PostCondition,
    holds: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Null if it was not checked, or if one of several failed: nodes do not say which.',
    }),
    moved: Type.Union([Type.String(), Type.Null()], {
      description:
        'What left the principal: units of the asset, `1` or `0` for an NFT, locked micro-STX for `staking`. Null if no event tells.',
    }),
  },
  { title: 'PostConditionOutcome' },
);

const UncoveredAsset = Type.Object(
  {
    principal: Type.String({ description: 'What it left.' }),
    asset: balanceChangeFields.asset,
    amount: Type.String({ description: 'Units that left; `1` for an NFT.' }),
    value: Type.Optional(ClarityText),
  },
  { title: 'UncoveredAsset' },
);

/** What a transaction would do in the next block. */
export const TransactionSimulation = Type.Object(
  {
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    tx_status: Type.Union(
      [Type.Literal('success'), Type.Literal('abort_by_response'), Type.Literal('abort_by_post_condition')],
      { description: 'Status that the transaction would have.' },
    ),
    node: Type.String({ description: 'Name of the node that executed it.' }),
    tip_index_block_hash: Type.String({ description: 'The tip of the node, on top of which it was executed.' }),
    tip_consensus_hash: Type.String({ description: 'Consensus hash of the tenure that the next block extends.' }),
    block_height: Type.Integer({ description: 'Height of the next block, the one it was executed in.' }),
    result: ClarityText,
    vm_error: Type.Union([Type.String(), Type.Null()], { description: 'What the node says about a failure.' }),
    fee: Type.Object(
      {
        payer: Type.String({ description: 'The sponsor, or else the sender.' }),
        amount: Type.String({ description: 'The fee in micro-STX. Aborted transactions pay it, too.' }),
      },
      { title: 'SimulatedFee' },
    ),
    stx_burned: Type.String({ description: 'Micro-STX that would be burned.' }),
    execution_cost: ExecutionCost,
    execution_limit: ExecutionCost,
    events: Type.Array(TransactionEvent, { description: 'What it would emit; none if it is aborted.' }),
    balance_changes: Type.Array(SimulatedBalanceChange, {
      description:
        'What each principal would send and receive, the fee included: the payer of the fee first, of each STX, then fungible ' +
        'tokens, then NFTs.',
    }),
    post_conditions: Type.Object(
      {
        mode: knownValues(POST_CONDITION_MODES, 'Whether assets may move that no post-condition names.'),
        held: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'Whether all hold; null if the contract failed before they were checked.',
        }),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'Why they do not hold, as the node says it.' }),
        conditions: Type.Array(ConditionOutcome, { description: 'In the order of the transaction.' }),
        uncovered: Type.Array(UncoveredAsset, {
          description: 'What left a principal without a post-condition on it. With the mode `deny`, this would abort.',
        }),
      },
      { title: 'SimulatedPostConditions' },
    ),
  },
  { title: 'TransactionSimulation' },
);
type TransactionSimulation = Static<typeof TransactionSimulation>;

/** The one place where a simulation becomes a response. */
export function renderSimulation(
  txId: Uint8Array,
  transaction: Transaction,
  { node, simulation }: { node: string; simulation: Simulation },
): TransactionSimulation {
  const { status, events, vmError } = simulation;
  const id = Buffer.from(txId);
  const chainEvents = events.map(({ event }) => event);
  const fee = {
    payer: sponsorAddress(transaction) ?? senderAddress(transaction),
    amount: payingCondition(transaction).fee,
  };
  const outcome = postConditionOutcome(transaction, status, chainEvents);
  return {
    tx_id: toHex(txId),
    tx_status: status,
    node,
    tip_index_block_hash: toHex(simulation.tip),
    tip_consensus_hash: toHex(simulation.consensusHash),
    block_height: simulation.height,
    result: clarityJson(simulation.result),
    vm_error: vmError ?? null,
    fee: { payer: fee.payer, amount: String(fee.amount) },
    stx_burned: String(simulation.stxBurned),
    execution_cost: renderExecutionCost(simulation.cost),
    execution_limit: renderExecutionCost(simulation.limit),
    events: events.flatMap(({ index, event }) => renderUnstored(id, index, event) ?? []),
    balance_changes: balanceChanges(chainEvents, fee).map(({ principal, asset, sent, received }) => ({
      principal,
      asset,
      balance_change: renderAmounts(sent, received),
    })),
    post_conditions: {
      mode: transaction.postConditionMode,
      held: outcome.held ?? null,
      reason: outcome.held === false ? (vmError ?? null) : null,
      conditions: outcome.conditions.map(({ condition, holds, moved }) => ({
        condition: postConditionJson(condition),
        holds: holds ?? null,
        moved: moved === undefined ? null : String(moved),
      })),
      uncovered: outcome.uncovered.map(renderUncovered),
    },
  };
}

const renderUncovered = ({ principal, asset, item, amount }: Uncovered) => ({
  principal,
  asset: asset satisfies Asset,
  amount: String(amount),
  ...(item && { value: clarityJson(item) }),
});
