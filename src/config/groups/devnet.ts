import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** The simulated devnet. */
export const devnetSettings = {
  devnet: set({
    name: 'CAIRN_DEVNET',
    kind: is.flag,
    fallback: 'true',
    about: 'Whether a simulated devnet runs when no node, no `DATABASE_URL` and no other network is set.',
  }),
  devnetPort: set({
    name: 'CAIRN_DEVNET_PORT',
    kind: is.port,
    fallback: '20443',
    about: 'Loopback port of the simulated node. If it is in use, any free port is taken.',
  }),
  devnetBlockSeconds: set({
    name: 'CAIRN_DEVNET_BLOCK_SECONDS',
    kind: is.integer('whole seconds from 0', 0, 86_400),
    fallback: '5',
    about: 'Seconds between blocks of the simulated devnet; 0 mines as fast as the index processes them.',
  }),
  devnetAccounts: set({
    name: 'CAIRN_DEVNET_ACCOUNTS',
    kind: is.list(is.account),
    fallback: '',
    secret: true,
    about:
      "Accounts of yours with STX on a new simulated chain, in addition to its own. A mnemonic stands for its first ten accounts (m/44'/5757'/0'/0/0 to 9).",
  }),
  devnetFrom: optional({
    name: 'CAIRN_DEVNET_FROM',
    kind: is.text,
    unset: 'a new chain',
    about:
      'Folder of a snapshot that `cairn devnet save` wrote: with an empty database, the simulated chain continues from there.',
  }),
  devnetSeed: set({
    name: 'CAIRN_DEVNET_SEED',
    kind: is.integer('a number from 0 to 4294967295', 0, 4_294_967_295),
    fallback: '1',
    about: 'Seed of a new simulated chain; the same seed gives the same chain.',
  }),
} as const;
