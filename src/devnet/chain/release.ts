/**
 * What a release of the node sends. The shape of a message follows the release, not the epoch of the block; three stand
 * for all: the last of the microblock era, the first years of Nakamoto, and the current one.
 */
export type Release = {
  name: '2.4' | '3.1' | '4.0';
  nakamoto: boolean;
  /** The key under which a contract interface travels. */
  interfaceKey: 'contract_abi' | 'contract_interface';
  /** Events of transactions that their post-conditions undid are sent, marked as not committed. */
  sendsUncommitted: boolean;
  /** NFT and contract events also carry their value as JSON. */
  sendsValue: boolean;
  sendsVmError: boolean;
  /** Burn blocks say what each block commit paid. */
  sendsPoxTransactions: boolean;
  /** How many forced unlock heights a block names. */
  unlockHeights: number;
};

export const releases: Record<Release['name'], Release> = {
  '2.4': {
    name: '2.4',
    nakamoto: false,
    interfaceKey: 'contract_abi',
    sendsUncommitted: true,
    sendsValue: true,
    sendsVmError: false,
    sendsPoxTransactions: false,
    unlockHeights: 2,
  },
  '3.1': {
    name: '3.1',
    nakamoto: true,
    interfaceKey: 'contract_abi',
    sendsUncommitted: true,
    sendsValue: true,
    sendsVmError: false,
    sendsPoxTransactions: false,
    unlockHeights: 3,
  },
  '4.0': {
    name: '4.0',
    nakamoto: true,
    interfaceKey: 'contract_interface',
    sendsUncommitted: false,
    sendsValue: false,
    sendsVmError: true,
    sendsPoxTransactions: true,
    unlockHeights: 4,
  },
};
