export type { CommandParameters, DevnetControl, DevnetStatus } from './control/devnet-control.ts';
export type { UserAccount } from './residents/user-accounts.ts';
export { type Devnet, type DevnetOptions, startDevnet } from './start-devnet.ts';
