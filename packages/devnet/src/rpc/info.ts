import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { bootAddress } from '@cairn-stacks/codec/network';
import type { BuiltBlock } from '../chain/built-block.ts';
import { stackedIn } from '../chain/reward-cycle.ts';
import { cycleLength, cycleOf, prepareLength, slotThreshold } from '../contracts/pox/cycle.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { badRequest, notFound, type RpcRoute } from './route.ts';
import { blockAtTip } from './tip.ts';

const amountHex = (amount: bigint) => `0x${amount.toString(16).padStart(32, '0')}`;

/** Node info, stacking and accounts. */
export function infoRoutes(node: DevnetNode): RpcRoute[] {
  return [
    { method: 'GET', path: /^\/v2\/info$/, respond: () => ({ json: infoJson(node) }) },
    {
      method: 'GET',
      path: /^\/v2\/pox$/,
      respond({ query }) {
        const tip = blockAtTip(node, query);
        return tip ? { json: poxJson(node, tip) } : notFound('No such chain tip');
      },
    },
    {
      method: 'GET',
      path: /^\/v3\/health$/,
      respond: () => ({
        json: {
          difference_from_max_peer: 0,
          max_stacks_height_of_neighbors: node.tip.height,
          // The devnet has no peers.
          max_stacks_neighbor_address: null,
          node_stacks_tip_height: node.tip.height,
        },
      }),
    },
    {
      method: 'GET',
      path: /^\/v2\/neighbors$/,
      respond: () => ({ json: { bootstrap: [], sample: [], inbound: [], outbound: [] } }),
    },
    {
      method: 'GET',
      path: /^\/v2\/accounts\/([^/]+)$/,
      respond({ params: [principal = ''], query }) {
        if (!isPrincipal(principal)) return badRequest('Invalid principal');
        const tip = blockAtTip(node, query);
        if (!tip) return notFound('No such chain tip');
        const { state } = tip;
        return {
          json: {
            balance: amountHex(state.spendable(principal)),
            locked: amountHex(state.locked.get(principal) ?? 0n),
            unlock_height: state.unlocks.get(principal) ?? 0,
            nonce: Number(state.nonce(principal)),
            balance_proof: '',
            nonce_proof: '',
          },
        };
      },
    },
  ];
}

function infoJson({ tip, network, chain }: DevnetNode): object {
  const consensus = bareHex(tip.tenure.consensusHash);
  return {
    peer_version: 402_653_196,
    pox_consensus: consensus,
    burn_block_height: tip.burn.height,
    stable_pox_consensus: consensus,
    stable_burn_block_height: tip.burn.height,
    server_version: `cairn-devnet ${chain.release.name}`,
    network_id: network.chainId,
    parent_network_id: 3_669_344_250,
    stacks_tip_height: tip.height,
    stacks_tip: tip.hash.slice(2),
    stacks_tip_consensus_hash: consensus,
    genesis_chainstate_hash: '74237aa39aa50a83de11a4f53e9d3bb7d43461d1de9873f402e5453ae60bc59b',
    unanchored_tip: null,
    unanchored_seq: null,
    tenure_height: tip.tenure.number,
    exit_at_block_height: null,
    is_fully_synced: true,
    node_public_key: null,
    node_public_key_hash: null,
    affirmations: null,
    last_pox_anchor: null,
    stackerdbs: [],
  };
}

function poxJson({ network }: DevnetNode, tip: BuiltBlock): object {
  const { state } = tip;
  const height = tip.burn.height;
  const cycle = cycleOf(height);
  const contract = `${bootAddress(network.mainnet)}.pox-4`;
  const stackedOf = (which: number) => Number(stackedIn(state, which, network));
  const supply = Number(state.supply);
  const nextStart = (cycle + 1) * cycleLength;
  const untilReward = nextStart - height;
  const threshold = Number(slotThreshold);
  return {
    contract_id: contract,
    pox_activation_threshold_ustx: Math.floor(supply / 20),
    first_burnchain_block_height: 0,
    current_burnchain_block_height: height,
    prepare_phase_block_length: prepareLength,
    reward_phase_block_length: cycleLength - prepareLength,
    reward_slots: (cycleLength - prepareLength) * 2,
    rejection_fraction: null,
    total_liquid_supply_ustx: supply,
    current_cycle: { id: cycle, min_threshold_ustx: threshold, stacked_ustx: stackedOf(cycle), is_pox_active: true },
    next_cycle: {
      id: cycle + 1,
      min_threshold_ustx: threshold,
      min_increment_ustx: Math.floor(supply / 8000),
      stacked_ustx: stackedOf(cycle + 1),
      prepare_phase_start_block_height: nextStart - prepareLength,
      blocks_until_prepare_phase: untilReward - prepareLength,
      reward_phase_start_block_height: nextStart,
      blocks_until_reward_phase: untilReward,
      ustx_until_pox_rejection: null,
    },
    epochs: [],
    min_amount_ustx: threshold,
    prepare_cycle_length: prepareLength,
    reward_cycle_id: cycle,
    reward_cycle_length: cycleLength,
    rejection_votes_left_required: null,
    next_reward_cycle_in: untilReward,
    // SDKs call the last contract of this list for stacking. pox-5 is active too.
    contract_versions: [{ contract_id: contract, activation_burnchain_block_height: 0, first_reward_cycle_id: 0 }],
    consensus_hash: toHex(tip.tenure.consensusHash),
  };
}
