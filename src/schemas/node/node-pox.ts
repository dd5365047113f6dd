import { Type } from 'typebox';

/** The part of the response that clients rely on; nodes add fields. */
export const NodePox = Type.Object(
  {
    contract_id: Type.String(),
    pox_activation_threshold_ustx: Type.Integer(),
    first_burnchain_block_height: Type.Integer(),
    current_burnchain_block_height: Type.Integer(),
    prepare_phase_block_length: Type.Integer(),
    reward_phase_block_length: Type.Integer(),
    reward_slots: Type.Integer(),
    total_liquid_supply_ustx: Type.Integer(),
    current_cycle: Type.Object({
      id: Type.Integer(),
      min_threshold_ustx: Type.Integer(),
      stacked_ustx: Type.Integer(),
      is_pox_active: Type.Boolean(),
    }),
    next_cycle: Type.Object({
      id: Type.Integer(),
      min_threshold_ustx: Type.Integer(),
      min_increment_ustx: Type.Integer(),
      stacked_ustx: Type.Integer(),
      prepare_phase_start_block_height: Type.Integer(),
      blocks_until_prepare_phase: Type.Integer(),
      reward_phase_start_block_height: Type.Integer(),
      blocks_until_reward_phase: Type.Integer(),
    }),
    min_amount_ustx: Type.Integer(),
    reward_cycle_id: Type.Integer(),
    reward_cycle_length: Type.Integer(),
    next_reward_cycle_in: Type.Integer(),
    contract_versions: Type.Array(
      Type.Object({
        contract_id: Type.String(),
        activation_burnchain_block_height: Type.Integer(),
        first_reward_cycle_id: Type.Integer(),
      }),
    ),
  },
  { title: 'NodePox' },
);
