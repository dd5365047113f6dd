import { AMOUNT_CODES, NFT_CODES, POX_CODES } from '@cairn-stacks/codec/transaction/post-condition';
import { Type } from 'typebox';
import { ClarityText } from '../contracts/clarity-schema.ts';
import { knownValues } from '../pages/known-values.ts';

const PostConditionPrincipal = Type.Union(
  [
    Type.Object({ type_id: Type.Literal('principal_origin') }),
    Type.Object({ type_id: Type.Literal('principal_standard'), address: Type.String() }),
    Type.Object({
      type_id: Type.Literal('principal_contract'),
      address: Type.String(),
      contract_name: Type.String(),
    }),
  ],
  { title: 'PostConditionPrincipal' },
);

const PostConditionAsset = Type.Object(
  { contract_address: Type.String(), contract_name: Type.String(), asset_name: Type.String() },
  { title: 'PostConditionAsset' },
);

const condition = <T extends string>(type: T, codes: readonly string[]) => ({
  type: Type.Literal(type),
  condition_code: knownValues(codes, 'Condition that must hold.'),
  principal: PostConditionPrincipal,
});
const amounts = Object.values(AMOUNT_CODES);
const amount = { amount: Type.String({ description: 'Amount in the smallest unit: micro-STX for STX.' }) };
const asset = { asset: PostConditionAsset };

/** The shape of what `postConditionJson` writes. */
export const PostCondition = Type.Union(
  [
    Type.Object({ ...condition('stx', amounts), ...amount }, { title: 'PostConditionStx' }),
    Type.Object({ ...condition('fungible', amounts), ...amount, ...asset }, { title: 'PostConditionFungible' }),
    Type.Object(
      { ...condition('non_fungible', Object.values(NFT_CODES)), ...asset, asset_value: ClarityText },
      { title: 'PostConditionNonFungible' },
    ),
    Type.Object({ ...condition('staking', amounts), ...amount }, { title: 'PostConditionStaking' }),
    Type.Object({ ...condition('pox', Object.values(POX_CODES)) }, { title: 'PostConditionPox' }),
  ],
  { title: 'PostCondition' },
);
