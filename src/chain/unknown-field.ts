/**
 * Fields that only the event of a block contains. They may stay unknown for a block that was fetched from a node. All but the
 * last three can be unknown only for a block that starts a tenure: no other block has them.
 */
export const unknownFields = [
  /** Operations that Bitcoin transactions carry: transfers, stacking, delegations. */
  'burn_operations',
  /** Contracts that the start of an epoch deploys. */
  'boot_contracts',
  /** STX created outside the transactions of the block: scheduled unlocks, emissions. */
  'mints',
  'matured_miner_rewards',
  'reward_set',
  'miner_txid',
  'unlock_heights',
  'signatures',
] as const;

export type UnknownField = (typeof unknownFields)[number];

/** Unknown fields as one text, in the order of the list above; empty for a block that is whole. */
export const unknownText = (fields: Iterable<UnknownField>): string => {
  const unknown = new Set(fields);
  return unknownFields.filter(field => unknown.has(field)).join(',');
};

/** The fields of such a text. */
export const unknownFieldsOf = (text: string): UnknownField[] => {
  const names = text.split(',');
  return unknownFields.filter(field => names.includes(field));
};
