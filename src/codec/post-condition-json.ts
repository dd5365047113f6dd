import { encodeAddress } from './c32.ts';
import { type ClarityJson, clarityJson } from './clarity-json.ts';
import type { PostCondition, PostConditionPrincipal } from './post-condition.ts';
import type { AssetId } from './principal.ts';

/** Whose assets a post-condition watches, as the API shows it. */
export type PostConditionPrincipalJson =
  | { type_id: 'principal_origin' }
  | { type_id: 'principal_standard'; address: string }
  | { type_id: 'principal_contract'; address: string; contract_name: string };

/** An asset of a post-condition as the API shows it. */
export type PostConditionAssetJson = { contract_address: string; contract_name: string; asset_name: string };

/** A post-condition as the API shows it. */
export type PostConditionJson = {
  type: PostCondition['type'];
  condition_code: PostCondition['condition'];
  principal: PostConditionPrincipalJson;
  amount?: string;
  asset?: PostConditionAssetJson;
  asset_value?: ClarityJson;
};

/** Shows a post-condition. */
export function postConditionJson(condition: PostCondition): PostConditionJson {
  const json: PostConditionJson = {
    type: condition.type,
    condition_code: condition.condition,
    principal: principalJson(condition.principal),
  };
  if ('amount' in condition) json.amount = condition.amount.toString();
  if ('asset' in condition) json.asset = assetJson(condition.asset);
  if ('value' in condition) json.asset_value = clarityJson(condition.value);
  return json;
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
