import { arrayLiteral } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import { parseMessage } from '../../node/json.ts';
import { type BurnBlock, readBurnBlock } from '../../node/messages.ts';
import type { FoldWriter } from '../fold/fold-writer.ts';
import { deleteAbove } from '../fold/rollback.ts';
import type { FoldLog, Step } from '../fold/step.ts';
import { eventById, type LoggedEvent } from '../log/event-reader.ts';
import { burnHistory } from './burn-blocks.ts';
import { burnSource } from './burn-source.ts';
import type { BurnChange, BurnNode, BurnSwitch, BurnView, SourceTip } from './burn-view.ts';
import type { TreeKeeper } from './fork-choice.ts';

type Parts = { writer: FoldWriter; tree: TreeKeeper; burnView: BurnView; log: FoldLog };

/** Writes a burn block that is no plain successor of the last one, and moves the tables when Bitcoin has forked. */
export async function foldBurnAnnouncement(parts: Parts, event: LoggedEvent, burn: BurnBlock): Promise<void> {
  const { writer, tree, burnView } = parts;
  await writer.settled();
  const change = await burnView.announce(burn, event.id, burnSource(event, burn));
  const burnSources = burnView.takeMovedSources();
  const burnSwitch = change.kind === 'fits' ? undefined : change.burnSwitch;
  if (!burnSwitch) {
    await writer.write({ steps: [plainStep(event, burn, change)], burnSources });
    await writer.settled();
    return;
  }
  await writeSwitch(parts, { event, burn, change, burnSwitch, burnSources });
  await tree.settleTree();
}

function plainStep(event: LoggedEvent, burn: BurnBlock, change: BurnChange): Step {
  if (change.kind === 'fits') return { kind: 'burn', event, burn, node: change.node };
  if (change.kind === 'fork') return { kind: 'side_burn', event, node: change.node };
  return { kind: 'nothing', event };
}

type Announced = {
  event: LoggedEvent;
  burn: BurnBlock;
  change: BurnChange;
  burnSwitch: BurnSwitch;
  burnSources: SourceTip[];
};

/** Takes the burn tables back to the fork and fills them from the other branch, in one transaction. */
async function writeSwitch({ writer, tree, log }: Parts, announced: Announced): Promise<void> {
  const { event, burn, change, burnSwitch, burnSources } = announced;
  const { forkHeight, branch, replaced } = burnSwitch;
  log.info(
    { fork: forkHeight, replaced: replaced.length, branch: branch.length },
    'Bitcoin has forked: the burn blocks above the fork are replaced',
  );
  const steps: Step[] = [];
  for (const node of branch) {
    const isNew = change.kind === 'fork' && node.hash.equals(burn.hash);
    const step: Step | undefined = isNew
      ? { kind: 'burn', event, burn, node }
      : await knownStep(writer, node, event, burn);
    if (step) steps.push(step);
    else log.warn({ height: node.height }, 'the log has lost a burn block: run cairn rebuild from a full export');
  }
  // The event itself comes last: it is where the fold stands afterwards.
  steps.push({ kind: 'nothing', event });
  const judge = await tree.followBurnSwitch(burnSwitch);
  const top = Math.max(forkHeight, ...[...replaced, ...branch].map(({ height }) => height));
  const before = (flush: Flush) => {
    deleteAbove(flush, [burnHistory], forkHeight, top);
    setCanonical(flush, replaced, false);
    setCanonical(flush, branch, true);
    judge(flush);
  };
  await writer.write({ steps, before, burnSources });
  await writer.settled();
}

/** A burn block that was announced before, with what its message said. */
async function knownStep(
  writer: FoldWriter,
  node: BurnNode,
  event: LoggedEvent,
  burn: BurnBlock,
): Promise<Step | undefined> {
  if (node.hash.equals(burn.hash)) return { kind: 'burn', event, burn, node, known: true };
  const logged = await eventById(writer.sql, node.eventId);
  if (!logged) return undefined;
  return { kind: 'burn', event: logged, burn: readBurnBlock(parseMessage(logged.body)), node, known: true };
}

function setCanonical(flush: Flush, nodes: readonly BurnNode[], canonical: boolean): void {
  flush.query('update burn_tree set canonical = $1::bool where hash = any ($2::bytea[])', [
    String(canonical),
    arrayLiteral(nodes.map(({ hash }) => hash)),
  ]);
}
