import { bool, ok } from '../../../codec/clarity/build.ts';
import { bytesArg, type CallContext, type ContractModel, fail, type Outcome } from '../contract-model.ts';
import type { BnsV2Call } from './bns-v2-contract.ts';
import { bnsV2Effects } from './bns-v2-contract.ts';
import { ownerOfName } from './names-v2-state.ts';
import { buff, labelText, nameArgs } from './namespace-model.ts';

const named = [...nameArgs].reverse();
const returns = { response: { ok: 'bool', error: 'uint128' } } as const;

/** Only the owner of a name can set its zonefile. */
function succeed(context: CallContext, call: Extract<BnsV2Call, { name: 'update-zonefile' | 'revoke-name' }>): Outcome {
  const owner = ownerOfName(context, call.fqn);
  if (owner === undefined) return fail(101);
  if (owner !== context.sender) return fail(102);
  return { result: ok(bool(true)), events: bnsV2Effects(call, context.sender, context.mainnet).events };
}

/** Zonefiles of the second naming contract. */
export const zonefileModel: ContractModel = {
  name: 'zonefile-resolver',
  functions: {
    'update-zonefile': {
      access: 'public',
      args: [...named, ['new-zonefile', { optional: buff(8192) }]],
      returns,
      run: (context, args) =>
        succeed(context, {
          name: 'update-zonefile',
          fqn: `${labelText(bytesArg(args, 0))}.${labelText(bytesArg(args, 1))}`,
          zonefile: labelText(bytesArg(args, 2)),
        }),
    },
    'revoke-name': {
      access: 'public',
      args: named,
      returns,
      run: (context, args) =>
        succeed(context, {
          name: 'revoke-name',
          fqn: `${labelText(bytesArg(args, 0))}.${labelText(bytesArg(args, 1))}`,
        }),
    },
  },
  source: `;; zonefile-resolver, as the devnet models it.
(define-map zonefile {name: (buff 48), namespace: (buff 20)}
  {owner: principal, revoked: bool, zonefile: (optional (buff 8192))})
;; update-zonefile, revoke-name
`,
};
