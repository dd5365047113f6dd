/**
 * The message format of a node release. It depends on the release, not on the epoch of the block; three releases represent
 * all: the last of the microblock era, the first years of Nakamoto, and the current one.
 */
export type Release = {
  name: '2.4' | '3.1' | '4.0';
  nakamoto: boolean;
  /** The key of a contract interface. */
  interfaceKey: 'contract_abi' | 'contract_interface';
  /** True if events that post-conditions rolled back are sent, marked as not committed. */
  sendsUncommitted: boolean;
  /** True if NFT and contract events also contain their value as JSON. */
  sendsValue: boolean;
  sendsVmError: boolean;
  /** True if burn blocks contain the payment of each block commit. */
  sendsPoxTransactions: boolean;
  /** Number of forced unlock heights in a block. */
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
