import { Type } from 'typebox';

/** The part of the response that clients rely on; nodes add fields. */
export const NodePox = Type.Object(
  {
    contract_id: Type.String(),
    pox_activation_threshold_ustx: Type.Integer({ description: 'Minimum of stacked micro-STX for a PoX cycle.' }),
    first_burnchain_block_height: Type.Integer({ description: 'Burn block height at which the chain started.' }),
    current_burnchain_block_height: Type.Integer({ description: 'Height of the newest burn block.' }),
    prepare_phase_block_length: Type.Integer({ description: 'Length of the prepare phase in burn blocks.' }),
    reward_phase_block_length: Type.Integer({ description: 'Length of the reward phase in burn blocks.' }),
    reward_slots: Type.Integer({ description: 'Number of reward slots of a cycle.' }),
    total_liquid_supply_ustx: Type.Integer({ description: 'Liquid supply in micro-STX.' }),
    current_cycle: Type.Object({
      id: Type.Integer(),
      min_threshold_ustx: Type.Integer({ description: 'Minimum amount for one reward slot, in micro-STX.' }),
      stacked_ustx: Type.Integer({ description: 'Stacked micro-STX.' }),
      is_pox_active: Type.Boolean(),
    }),
    next_cycle: Type.Object({
      id: Type.Integer(),
      min_threshold_ustx: Type.Integer({ description: 'Minimum amount for one reward slot, in micro-STX.' }),
      min_increment_ustx: Type.Integer({ description: 'Smallest increment of the minimum, in micro-STX.' }),
      stacked_ustx: Type.Integer({ description: 'Stacked micro-STX.' }),
      prepare_phase_start_block_height: Type.Integer({
        description: 'Burn block height at which the prepare phase starts.',
      }),
      blocks_until_prepare_phase: Type.Integer({
        description: 'Burn blocks until the prepare phase; negative during it.',
      }),
      reward_phase_start_block_height: Type.Integer({
        description: 'Burn block height at which the reward phase starts.',
      }),
      blocks_until_reward_phase: Type.Integer({ description: 'Burn blocks until the reward phase.' }),
    }),
    min_amount_ustx: Type.Integer({ description: 'Minimum amount to stack, in micro-STX.' }),
    reward_cycle_id: Type.Integer(),
    reward_cycle_length: Type.Integer({ description: 'Length of a cycle in burn blocks.' }),
    next_reward_cycle_in: Type.Integer({ description: 'Burn blocks until the next cycle.' }),
    contract_versions: Type.Array(
      Type.Object({
        contract_id: Type.String(),
        activation_burnchain_block_height: Type.Integer({
          description: 'Burn block height at which the contract becomes active.',
        }),
        first_reward_cycle_id: Type.Integer(),
      }),
    ),
  },
  { title: 'NodePox' },
);
