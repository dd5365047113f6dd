import { encodeAddress } from '../address/c32.ts';
import type { AssetId } from '../address/principal.ts';
import { type ClarityJson, clarityJson } from '../clarity/json.ts';
import type { PostCondition, PostConditionPrincipal } from './post-condition.ts';

/** Whose assets a post-condition watches, as the API shows it. */
export type PostConditionPrincipalJson =
  | { type_id: 'principal_origin' }
  | { type_id: 'principal_standard'; address: string }
  | { type_id: 'principal_contract'; address: string; contract_name: string };

/** An asset of a post-condition as the API shows it. */
export type PostConditionAssetJson = { contract_address: string; contract_name: string; asset_name: string };

/** A post-condition as the API shows it. */
export type PostConditionJson = {
  condition_code: PostCondition['condition'];
  principal: PostConditionPrincipalJson;
} & (
  | { type: 'stx' | 'staking'; amount: string }
  | { type: 'fungible'; amount: string; asset: PostConditionAssetJson }
  | { type: 'non_fungible'; asset: PostConditionAssetJson; asset_value: ClarityJson }
  | { type: 'pox' }
);

/** Shows a post-condition. */
export function postConditionJson(condition: PostCondition): PostConditionJson {
  const principal = principalJson(condition.principal);
  switch (condition.type) {
    case 'stx':
    case 'staking': {
      const { type, condition: condition_code, amount } = condition;
      return { type, condition_code, principal, amount: amount.toString() };
    }
    case 'fungible': {
      const { type, condition: condition_code, amount, asset } = condition;
      return { type, condition_code, principal, amount: amount.toString(), asset: assetJson(asset) };
    }
    case 'non_fungible': {
      const { type, condition: condition_code, asset, value } = condition;
      return { type, condition_code, principal, asset: assetJson(asset), asset_value: clarityJson(value) };
    }
    case 'pox':
      return { type: condition.type, condition_code: condition.condition, principal };
  }
}

function principalJson(principal: PostConditionPrincipal): PostConditionPrincipalJson {
  if (principal.type === 'origin') return { type_id: 'principal_origin' };
  const address = encodeAddress(principal.version, principal.hash);
  if (principal.name === undefined) return { type_id: 'principal_standard', address };
  return { type_id: 'principal_contract', address, contract_name: principal.name };
}

function assetJson({ contract, asset }: AssetId): PostConditionAssetJson {
  const address = encodeAddress(contract.version, contract.hash);
  return { contract_address: address, contract_name: contract.name, asset_name: asset };
}
