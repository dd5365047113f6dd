const types: Readonly<Record<string, string>> = {
  token_transfer: 'Transfer',
  contract_call: 'Contract call',
  smart_contract: 'Contract deploy',
  coinbase: 'Block reward',
  tenure_change: 'Tenure change',
  poison_microblock: 'Poison report',
};

/** The type of a transaction for people. */
export const typeWords = (type: string): string => types[type] ?? type.replaceAll('_', ' ');

const causes: Readonly<Record<string, string>> = {
  block_found: 'a new Bitcoin block began the tenure of this miner',
  extended: 'the tenure was extended',
  extended_runtime: 'the budget for computing was renewed',
  extended_read_count: 'the budget for reads was renewed',
  extended_read_length: 'the budget for bytes read was renewed',
  extended_write_count: 'the budget for writes was renewed',
  extended_write_length: 'the budget for bytes written was renewed',
};

/** Why a tenure changed. */
export const causeWords = (cause: string): string => causes[cause] ?? cause.replaceAll('_', ' ');
