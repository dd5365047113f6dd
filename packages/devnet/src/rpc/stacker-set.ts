import { bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { AddressVersion } from '@cairn-stacks/codec/address/c32';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '../chain/built-block.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { notFound, type RpcRoute } from './route.ts';
import { blockAtTip } from './tip.ts';

type RewardSet = {
  rewarded_addresses: string[];
  start_cycle_state: object;
  signers: { signing_key: string; stacked_amt: string; weight: number }[];
  pox_ustx_threshold: string;
};

/** The signers and reward addresses of a cycle, once a block has fixed them. */
export function stackerSetRoutes(node: DevnetNode): RpcRoute[] {
  return [
    {
      method: 'GET',
      path: /^\/v3\/stacker_set\/(\d{1,10})$/,
      respond({ params: [cycle], query }) {
        const tip = blockAtTip(node, query);
        if (!tip) return notFound('No such chain tip');
        const set = rewardSetAt(tip, Number(cycle));
        if (set) return { json: { stacker_set: setJson(set, node.network.mainnet) } };
        const message = 'Could not read reward set. Prepare phase may not have started for this cycle yet.';
        return { status: 400, json: { response: 'error', err_type: 'not_available_try_again', err_msg: message } };
      },
    },
  ];
}

function rewardSetAt(tip: BuiltBlock, cycle: number): RewardSet | undefined {
  for (let block: BuiltBlock | undefined = tip; block; block = block.parent) {
    const { cycle_number, reward_set } = block.body as { cycle_number?: number | null; reward_set?: RewardSet | null };
    if (cycle_number === cycle && reward_set) return reward_set;
  }
  return undefined;
}

/** In this format amounts are numbers, and addresses are split into their parts. */
function setJson(set: RewardSet, mainnet: boolean): object {
  return {
    rewarded_addresses: set.rewarded_addresses.map(text => {
      const version = mainnet ? AddressVersion.mainnetSingleSig : AddressVersion.testnetSingleSig;
      return { Standard: [{ version, bytes: bareHex(bitcoinToPoxAddress(text).hash) }, 'SerializeP2PKH'] };
    }),
    start_cycle_state: set.start_cycle_state,
    signers: set.signers.map(signer => ({ ...signer, stacked_amt: Number(signer.stacked_amt) })),
    pox_ustx_threshold: Number(set.pox_ustx_threshold),
  };
}
