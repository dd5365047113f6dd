import type { Network } from '@cairn-stacks/codec/network';
import type { Sql } from '../../db/client.ts';
import { genesisOf, missingParents, type TreeBlock } from '../tree/block-tree.ts';
import type { BurnBranch } from '../tree/burn-branch.ts';
import { loadBurnBranch } from '../tree/burn-tree.ts';
import type { Tip } from '../tree/fork-choice.ts';
import { KnownBlocks } from '../tree/known-blocks.ts';
import { loadRuledOut, type RuledOut } from '../tree/ruled-out-blocks.ts';
import type { Position } from './position.ts';

/** What is known when an event is decided: all events before it count, whether they are written yet or not. */
export type FoldState = {
  readonly network: Network;
  readonly tip: Tip;
  /** Tree blocks that the events at hand name. */
  readonly blocks: Pick<KnownBlocks, 'get'>;
  /** Index hashes that parked blocks wait for; a parked block is one whose parent has not arrived. */
  readonly awaited: ReadonlySet<string>;
  /** Which kinds of block 0 the tree has. */
  readonly genesis: { readonly empty: boolean; readonly full: boolean };
  readonly ruledOut: RuledOut;
  readonly burnBranch: BurnBranch;
};

/** What a decision changes in the state. */
export type StateChange = {
  tip?: Tip;
  /** Tree blocks that are new or have changed. */
  blocks?: readonly TreeBlock[];
  /** Index hashes that a parked block waits for from now on. */
  awaited?: readonly Buffer[];
  /** Index hashes of blocks that have arrived: no block waits for them. */
  arrived?: readonly Buffer[];
  ruledOut?: RuledOut;
  burnBranch?: BurnBranch;
};

/** The one owner of the state: decisions read it, and only their changes move it. */
export class OwnedState implements FoldState {
  readonly network: Network;
  readonly blocks: KnownBlocks;
  readonly awaited: Set<string>;
  readonly genesis: { empty: boolean; full: boolean };
  tip: Tip;
  ruledOut: RuledOut;
  burnBranch: BurnBranch;

  private constructor(
    network: Network,
    position: Position,
    loaded: Pick<FoldState, 'ruledOut' | 'burnBranch'> & {
      awaited: Set<string>;
      genesis: { empty: boolean; full: boolean };
    },
  ) {
    this.network = network;
    this.tip = { height: position.height, indexHash: position.indexHash };
    this.blocks = new KnownBlocks(position.eventId === 0n);
    this.awaited = loaded.awaited;
    this.genesis = loaded.genesis;
    this.ruledOut = loaded.ruledOut;
    this.burnBranch = loaded.burnBranch;
  }

  /** The state as the last transaction left it. */
  static async load(sql: Sql, network: Network, position: Position): Promise<OwnedState> {
    return new OwnedState(network, position, {
      awaited: new Set((await missingParents(sql)).map(hash => hash.toString('hex'))),
      genesis: await genesisOf(sql),
      ruledOut: await loadRuledOut(sql),
      burnBranch: await loadBurnBranch(sql),
    });
  }

  apply({ tip, blocks = [], awaited = [], arrived = [], ruledOut, burnBranch }: StateChange): void {
    if (tip) this.tip = tip;
    for (const block of blocks) {
      this.blocks.add(block);
      if (block.height === 0) this.genesis[block.empty ? 'empty' : 'full'] = true;
    }
    for (const hash of awaited) this.awaited.add(hash.toString('hex'));
    for (const hash of arrived) this.awaited.delete(hash.toString('hex'));
    if (ruledOut) this.ruledOut = ruledOut;
    if (burnBranch) this.burnBranch = burnBranch;
  }
}
