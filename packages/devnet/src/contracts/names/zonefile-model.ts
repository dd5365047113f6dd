import { bool, none, ok, principal, tuple } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesArg,
  type CallContext,
  type ContractModel,
  entryKey,
  fail,
  fieldsIn,
  type Outcome,
  principalArg,
  readData,
} from '../contract-model.ts';
import type { BnsV2Call } from './bns-v2-contract.ts';
import { bnsV2Effects } from './bns-v2-contract.ts';
import { ownerOfName } from './names-v2-state.ts';
import { buff, labelText, nameArgs, nameTuple } from './namespace-model.ts';

const named = [...nameArgs].reverse();
const returns = { response: { ok: 'bool', error: 'uint128' } } as const;

const zonefileKey = ({ contract }: CallContext, fqn: string) => entryKey(contract, 'zonefile', nameTuple(fqn));

/** Only the owner of a name can set its zonefile. */
function succeed(
  context: CallContext,
  call: Extract<BnsV2Call, { name: 'update-zonefile' | 'revoke-name' }>,
  zonefile: ClarityValue = none,
): Outcome {
  const owner = ownerOfName(context, call.fqn);
  if (owner === undefined) return fail(101);
  if (owner !== context.sender) return fail(102);
  const revoked = call.name === 'revoke-name';
  const value = tuple({ owner: principal(owner), revoked: bool(revoked), zonefile: revoked ? none : zonefile });
  return {
    result: ok(bool(true)),
    events: bnsV2Effects(call, context.sender, context.mainnet).events,
    writes: [{ key: zonefileKey(context, call.fqn), value }],
  };
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
        succeed(
          context,
          {
            name: 'update-zonefile',
            fqn: `${labelText(bytesArg(args, 0))}.${labelText(bytesArg(args, 1))}`,
            zonefile: labelText(bytesArg(args, 2)),
          },
          args[2],
        ),
    },
    'resolve-name': {
      access: 'read_only',
      args: named,
      returns: { response: { ok: { optional: buff(8192) }, error: 'uint128' } },
      run(context, args) {
        const fqn = `${labelText(bytesArg(args, 0))}.${labelText(bytesArg(args, 1))}`;
        const owner = ownerOfName(context, fqn);
        if (owner === undefined) return fail(101);
        const stored = fieldsIn(readData(context.state, zonefileKey(context, fqn)));
        // A zonefile counts only while its owner has the name.
        const isCurrent = stored && principalArg([stored.get('owner')!], 0) === owner;
        return { result: ok(isCurrent ? stored.get('zonefile')! : none) };
      },
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
  maps: [
    {
      name: 'zonefile',
      key: {
        tuple: [
          { name: 'name', type: buff(48) },
          { name: 'namespace', type: buff(20) },
        ],
      },
      value: {
        tuple: [
          { name: 'owner', type: 'principal' },
          { name: 'revoked', type: 'bool' },
          { name: 'zonefile', type: { optional: buff(8192) } },
        ],
      },
    },
  ],
  source: `;; zonefile-resolver, as the devnet models it.
(define-map zonefile {name: (buff 48), namespace: (buff 20)}
  {owner: principal, revoked: bool, zonefile: (optional (buff 8192))})
;; update-zonefile, revoke-name, resolve-name
`,
};
