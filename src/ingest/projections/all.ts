import type { Projection } from '../rows/projection.ts';
import { blocks } from './blocks.ts';
import { bnsNames } from './bns-names.ts';
import { bnsNamespaces } from './bns-namespaces.ts';
import { contracts } from './contracts.ts';
import { events } from './events.ts';
import { ftBalances } from './ft-balances.ts';
import { microblocks } from './microblocks.ts';
import { nfts } from './nfts.ts';
import { poxCycles } from './pox-cycles.ts';
import { poxEvents } from './pox-events.ts';
import { poxStaking } from './pox-staking.ts';
import { principalTransactions } from './principal-transactions.ts';
import { printShapes } from './print-shapes.ts';
import { sbtcRegistry } from './sbtc-registry.ts';
import { stakingEvents } from './staking-events.ts';
import { stakingRewards } from './staking-rewards.ts';
import { stakingTerms } from './staking-terms.ts';
import { stxBalances } from './stx-balances.ts';
import { stxLocks } from './stx-locks.ts';
import { tokenNotifications } from './token-notifications.ts';
import { tokenStandards } from './token-standards.ts';
import { transactions } from './transactions.ts';
import { transfers } from './transfers.ts';

/** Every projection, in the order they are applied; `blocks` comes last because it writes the totals the others move. */
export const projections: readonly Projection[] = [
  transactions,
  events,
  printShapes,
  contracts,
  principalTransactions,
  stxBalances,
  ftBalances,
  transfers,
  nfts,
  stxLocks,
  poxEvents,
  poxCycles,
  poxStaking,
  stakingEvents,
  stakingTerms,
  stakingRewards,
  sbtcRegistry,
  tokenStandards,
  tokenNotifications,
  bnsNames,
  bnsNamespaces,
  microblocks,
  blocks,
];
