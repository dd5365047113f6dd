import { Type } from 'typebox';
import { ClarityText } from './clarity.ts';

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

/** The shape of what `postConditionJson` writes. */
export const PostCondition = Type.Object(
  {
    type: Type.String({ description: 'stx, fungible, non_fungible, staking or pox.' }),
    condition_code: Type.String({ description: 'How much may or must be sent.' }),
    principal: PostConditionPrincipal,
    amount: Type.Optional(Type.String()),
    asset: Type.Optional(PostConditionAsset),
    asset_value: Type.Optional(ClarityText),
  },
  { title: 'PostCondition' },
);
