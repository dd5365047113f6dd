import { type BurnBlock, readBurnBlock } from '../../node/messages.ts';
import { unknownInBurnBlock } from '../../node/unknown-items.ts';
import { type LoggedEvent, parseEvent } from '../log/event-reader.ts';
import { announceBurnBlock, type BurnChange, type BurnSwitch, extendBurnBranch } from '../tree/burn-branch.ts';
import { burnSource } from '../tree/burn-source.ts';
import { type ConnectedBlock, reclassify } from '../tree/ruled-out-blocks.ts';
import type { TreeChange } from '../tree/tree-change.ts';
import type { Decision, Facts, IncomingEvent, Notice } from './decision.ts';
import { reading } from './decode.ts';
import type { Step } from './plan.ts';
import type { FoldState } from './state.ts';

/** `/new_burn_block`: most are the next one; any other may be a repetition, a late one, or a fork of Bitcoin. */
export function decideBurnBlock(state: FoldState, { event, message }: IncomingEvent, facts: Facts): Decision {
  const burn = reading(() => readBurnBlock(message));
  const announcement = { burn, eventId: event.id, source: burnSource(event, burn) };
  const unknown = [{ eventId: event.id, items: unknownInBurnBlock(message) }];
  const next = extendBurnBranch(state.burnBranch, announcement);
  if (next) {
    return {
      kind: 'queue',
      step: stepOf(event, burn, next),
      burnSources: next.moved,
      change: { burnBranch: next.burnBranch },
      unknown,
    };
  }
  const change = announceBurnBlock(state.burnBranch, announcement, facts);
  if ('kind' in change) return { kind: 'look_up', lookUp: change };
  if (change.burnSwitch)
    return decideSwitch(state, { event, burn, change, burnSwitch: change.burnSwitch }, facts, unknown);
  const steps = [stepOf(event, burn, change)];
  if (!change.node || change.canonical) {
    const plans = [{ steps, burnSources: change.moved }];
    return { kind: 'write', plans, change: { burnBranch: change.burnBranch }, unknown };
  }
  // It is of a branch that has lost already: blocks that came before it are ruled out as those are that come after it.
  const burns = [change.node];
  if (!facts.blocksFromBurn) return { kind: 'look_up', lookUp: { kind: 'blocks_from_burn', burns } };
  const { treeChanges, ruledOut } = reclassifyTree(state, change, facts.blocksFromBurn);
  return {
    kind: 'write',
    plans: [{ treeChanges, steps, burnSources: change.moved }],
    ...(treeChanges.length > 0 && { next: ['move_to_best'] as const }),
    change: { burnBranch: change.burnBranch, ruledOut },
    unknown,
  };
}

/** Which blocks of the tree are ruled out after an announcement, and what that changes in the table. */
function reclassifyTree({ ruledOut: before }: FoldState, change: BurnChange, blocks: readonly ConnectedBlock[]) {
  const { ruledOut, lost, restored } = reclassify(before, change.burnBranch, blocks);
  const treeChanges: TreeChange[] = [];
  if (lost.length > 0) treeChanges.push({ kind: 'rule_out', blocks: lost, ruledOut: true });
  if (restored.length > 0) treeChanges.push({ kind: 'rule_out', blocks: restored, ruledOut: false });
  return { ruledOut, treeChanges };
}

function stepOf(event: LoggedEvent, burn: BurnBlock, { node, canonical }: BurnChange): Step {
  if (!node) return { kind: 'nothing', event };
  return canonical ? { kind: 'burn', event, burn, node } : { kind: 'non_canonical_burn', event, node };
}

type Announced = { event: LoggedEvent; burn: BurnBlock; change: BurnChange; burnSwitch: BurnSwitch };

/** Takes the burn tables back to the fork and fills them from the other branch; blocks of replaced burn blocks are ruled out. */
function decideSwitch(
  state: FoldState,
  { event, burn, change, burnSwitch }: Announced,
  facts: Facts,
  unknown: NonNullable<Extract<Decision, { kind: 'write' }>['unknown']>,
): Decision {
  const { forkHeight, branch, replaced } = burnSwitch;
  // The best branch may be that of another node than the one that has left its own.
  const lost = change.node && !branch.some(node => node.hash.equals(burn.hash)) ? [change.node] : [];
  const others = branch.filter(node => !node.hash.equals(burn.hash));
  if (!facts.events) return { kind: 'look_up', lookUp: { kind: 'events', ids: others.map(node => node.eventId) } };
  if (!facts.blocksFromBurn) {
    return { kind: 'look_up', lookUp: { kind: 'blocks_from_burn', burns: [...branch, ...replaced, ...lost] } };
  }
  const notices: Notice[] = [
    {
      level: 'info',
      details: { fork: forkHeight, replaced: replaced.length, branch: branch.length },
      message: 'Bitcoin has forked: the burn blocks above the fork are replaced',
    },
  ];
  const steps: Step[] = [];
  for (const node of branch) {
    const own = node.hash.equals(burn.hash);
    const logged = own ? event : facts.events.get(node.eventId);
    if (!logged) {
      const message = 'the log has lost a burn block: run cairn rebuild from a full export';
      notices.push({ level: 'warn', details: { height: node.height }, message });
      continue;
    }
    const said = own ? burn : readBurnBlock(parseEvent(logged));
    const isNew = own && change.node !== undefined;
    steps.push({ kind: 'burn', event: logged, burn: said, node, ...(!isNew && { known: true }) });
  }
  // The event itself comes last: it is the position of the fold afterwards.
  steps.push(lost[0] ? { kind: 'non_canonical_burn', event, node: lost[0] } : { kind: 'nothing', event });
  const { treeChanges, ruledOut } = reclassifyTree(state, change, facts.blocksFromBurn);
  return {
    kind: 'write',
    plans: [{ burnSwitch, treeChanges, steps, burnSources: change.moved }],
    next: ['move_to_best'],
    change: { burnBranch: change.burnBranch, ruledOut },
    unknown,
    notices,
  };
}
