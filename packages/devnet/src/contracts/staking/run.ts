import { ok, tuple } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { ChainEvent } from '../../chain/event.ts';
import type { CallContext, Outcome, Run } from '../contract-model.ts';
import { Draft } from '../draft.ts';
import { StakingRefusal } from './errors.ts';
import { initialVariables } from './initial-variables.ts';

/** What a function of pox-5 changes: it writes to the draft and returns its result and events. */
export type StakingRun = (
  context: CallContext,
  draft: Draft,
  args: readonly ClarityValue[],
) => { result: ClarityValue | Record<string, ClarityValue>; events?: ChainEvent[] };

/** Runs a function on a draft; a refusal leaves nothing behind. */
export function runStaking(
  run: StakingRun,
  context: CallContext,
  draft: Draft,
  args: readonly ClarityValue[],
): Outcome {
  try {
    const { result, events = [] } = run(context, draft, args);
    const isValue = typeof (result as { type?: unknown }).type === 'string';
    return {
      result: ok(isValue ? (result as ClarityValue) : tuple(result as Record<string, ClarityValue>)),
      events,
      writes: draft.writes,
    };
  } catch (error) {
    if (error instanceof StakingRefusal) return error.outcome;
    throw error;
  }
}

/** The data of pox-5 during a call. */
export const stakingDraft = ({ state, mainnet }: CallContext, contract: string) =>
  new Draft(state, contract, initialVariables(mainnet));

/** The functions of a model. */
export const publicRuns = (runs: Record<string, StakingRun>): Record<string, Run> =>
  Object.fromEntries(
    Object.entries(runs).map(([name, run]): [string, Run] => [
      name,
      (context, args) => runStaking(run, context, stakingDraft(context, context.contract), args),
    ]),
  );
