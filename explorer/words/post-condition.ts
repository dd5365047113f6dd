import type { PostCondition, PostConditionPrincipal } from '../api/schema.ts';

/** A post-condition as a sentence: `subject` `verb` and what it is about. */
export type PostConditionWords = {
  /** undefined stands for the sender of the transaction. */
  principal: string | undefined;
  verb: string;
  stx?: string;
  token?: { asset: string; amount: string };
  item?: { asset: string; repr: string };
};

const comparisons: Readonly<Record<string, string>> = {
  sent_equal_to: 'exactly',
  sent_greater_than: 'more than',
  sent_greater_than_or_equal_to: 'at least',
  sent_less_than: 'less than',
  sent_less_than_or_equal_to: 'at most',
};

const itemVerbs: Readonly<Record<string, string>> = {
  sent: 'must send',
  not_sent: 'must keep',
  maybe_sent: 'may send',
};

const poxVerbs: Readonly<Record<string, string>> = {
  performed: 'must stack or change its stacking',
  not_performed: 'must not change its stacking',
  maybe_performed: 'may stack or change its stacking',
};

/** What a post-condition demands, in words. */
export function postConditionWords(condition: PostCondition): PostConditionWords {
  const principal = principalOf(condition.principal);
  switch (condition.type) {
    case 'stx':
      return { principal, verb: `must send ${comparison(condition.condition_code)}`, stx: condition.amount };
    case 'staking':
      return { principal, verb: `must stack ${comparison(condition.condition_code)}`, stx: condition.amount };
    case 'fungible': {
      const token = { asset: assetOf(condition.asset), amount: condition.amount };
      return { principal, verb: `must send ${comparison(condition.condition_code)}`, token };
    }
    case 'non_fungible': {
      const item = { asset: assetOf(condition.asset), repr: condition.asset_value.repr };
      return { principal, verb: itemVerbs[condition.condition_code] ?? condition.condition_code, item };
    }
    case 'pox':
      return { principal, verb: poxVerbs[condition.condition_code] ?? condition.condition_code };
  }
}

const comparison = (code: string) => comparisons[code] ?? code;

function principalOf(principal: PostConditionPrincipal): string | undefined {
  switch (principal.type_id) {
    case 'principal_origin':
      return undefined;
    case 'principal_standard':
      return principal.address;
    case 'principal_contract':
      return `${principal.address}.${principal.contract_name}`;
  }
}

const assetOf = (asset: { contract_address: string; contract_name: string; asset_name: string }) =>
  `${asset.contract_address}.${asset.contract_name}::${asset.asset_name}`;

const modes: Readonly<Record<string, string>> = {
  allow: 'assets may move freely.',
  deny: 'movement of assets makes the transaction fail.',
  originator: 'movement of assets of the sender makes the transaction fail.',
};

/** What the transaction may move beyond its conditions. */
export function modeWords(mode: string, hasConditions: boolean): string {
  const words = modes[mode];
  if (words === undefined) return mode;
  if (mode === 'allow') return hasConditions ? `Other ${words}` : `All ${words}`;
  return hasConditions ? `Any other ${words}` : `Any ${words}`;
}
