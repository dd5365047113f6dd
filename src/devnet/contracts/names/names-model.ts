import { isName } from '../../../chain/names/name.ts';
import type { AbiType } from '../../../codec/clarity/abi.ts';
import { bool, err, int, none, ok, principal, some, tuple, uint } from '../../../codec/clarity/build.ts';
import type { ClarityValue } from '../../../codec/clarity/value.ts';
import { bareHex } from '../../../codec/hex.ts';
import {
  bytesArg,
  type CallContext,
  type ContractModel,
  fieldsIn,
  type Outcome,
  principalArg,
  readData,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { type BnsCall, bnsEffects } from './bns-contract.ts';
import {
  buff,
  claimable,
  fqnOf,
  grace,
  isNamespaceText,
  label,
  labelText,
  launchable,
  nameArgs,
  nameCost,
  nameFee,
  namespaceCost,
  namespaceOf,
  namespaceWrite,
  nameTuple,
  nameTupleType,
  preorderArgs,
  preordered,
  preorderHash,
  preorderOf,
  priceType,
  revealArgs,
  revealedNamespace,
} from './namespace-model.ts';

const responseOf = (type: AbiType): AbiType => ({ response: { ok: type, error: 'int128' } });
const fail = (code: number): Outcome => ({ result: err(int(code)) });

type NameState = { owner: string; registeredAt: number; revoked: boolean };

const nameKey = (contract: string, fqn: string) => `${contract} name ${fqn}`;
const heldKey = (contract: string, owner: string) => `${contract} held by ${owner}`;

function stateOf({ state, contract }: Pick<CallContext, 'state' | 'contract'>, fqn: string): NameState | undefined {
  const fields = fieldsIn(readData(state, nameKey(contract, fqn)));
  if (!fields) return undefined;
  const revoked = fields.get('revoked');
  return {
    owner: principalArg([fields.get('owner')!], 0),
    registeredAt: Number(uintArg([fields.get('registered-at')!], 0)),
    revoked: revoked?.type === 'bool' && revoked.value,
  };
}

/** The writes that store a name and its holder: an account has at most one name. */
function nameWrites(
  { contract }: CallContext,
  fqn: string,
  { owner, registeredAt, revoked }: NameState,
  before?: string,
) {
  const value = tuple({ owner: principal(owner), 'registered-at': uint(registeredAt), revoked: bool(revoked) });
  const writes: Write[] = [{ key: nameKey(contract, fqn), value }];
  if (before !== undefined && before !== owner) writes.push({ key: heldKey(contract, before), value: undefined });
  writes.push({ key: heldKey(contract, owner), value: label(fqn) });
  return writes;
}

/** The name that an account holds. */
export function nameHeldBy(state: CallContext['state'], contract: string, owner: string): string | undefined {
  const held = readData(state, heldKey(contract, owner));
  return held && labelText(bytesArg([held], 0));
}

type Lease = 'active' | 'grace' | 'over';

function leaseOf(context: CallContext, { registeredAt }: NameState, namespace: string): Lease {
  const lifetime = namespaceOf(context, namespace)?.lifetime ?? 0;
  if (lifetime === 0 || context.height <= registeredAt + lifetime) return 'active';
  return context.height <= registeredAt + lifetime + grace ? 'grace' : 'over';
}

/** True if an account holds a name whose lease has not ended. */
function isTaken(context: CallContext, owner: string): boolean {
  const fqn = nameHeldBy(context.state, context.contract, owner);
  const held = fqn === undefined ? undefined : stateOf(context, fqn);
  return held !== undefined && !held.revoked && leaseOf(context, held, fqn!.split('.')[1]!) !== 'over';
}

/** The name of a call by its owner during its lease; otherwise an error code. */
function ownName(context: CallContext, args: readonly ClarityValue[], mayBeEnding = false): NameState | number {
  const namespace = labelText(bytesArg(args, 0));
  if (!namespaceOf(context, namespace)) return 1005;
  const known = stateOf(context, fqnOf(args));
  if (!known) return 2013;
  if (known.owner !== context.sender) return 2006;
  if (known.revoked) return 2014;
  const lease = leaseOf(context, known, namespace);
  if (lease === 'over') return 2008;
  return lease === 'grace' && !mayBeEnding ? 2009 : known;
}

function succeed({ sender, mainnet }: CallContext, call: BnsCall, writes: Write[]): Outcome {
  const { events, result } = bnsEffects(call, sender, mainnet);
  return { result: ok(result), events, writes };
}

const propertiesType: AbiType = {
  tuple: [
    { name: 'namespace', type: buff(20) },
    {
      name: 'properties',
      type: {
        tuple: [
          { name: 'can-update-price-function', type: 'bool' },
          { name: 'launched-at', type: { optional: 'uint128' } },
          { name: 'lifetime', type: 'uint128' },
          { name: 'namespace-import', type: 'principal' },
          { name: 'price-function', type: priceType },
          { name: 'revealed-at', type: 'uint128' },
        ],
      },
    },
  ],
};

/** The model of the first naming contract. Heights are block heights. */
export const namesModel: ContractModel = {
  name: 'bns',
  nonFungibleTokens: [{ name: 'names', type: nameTupleType }],
  functions: {
    'namespace-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-namespace'),
      returns: responseOf('uint128'),
      run: (context, args) => preorder(context, args, 'namespace-preorders', { exists: 1003, none: 1012 }),
    },
    'namespace-reveal': {
      access: 'public',
      args: revealArgs,
      returns: responseOf('bool'),
      run(context, args) {
        const namespace = labelText(bytesArg(args, 0));
        const hash = preorderHash(namespace, labelText(bytesArg(args, 1)));
        const paid = preorderOf(context, 'namespace-preorders', hash);
        if (!paid) return fail(1001);
        if (!isNamespaceText(bytesArg(args, 0))) return fail(namespace === '' ? 1013 : 1016);
        if (namespaceOf(context, namespace)) return fail(1006);
        if (paid.burnt < namespaceCost(namespace)) return fail(1012);
        if (context.height >= paid.at + claimable) return fail(1009);
        const state = revealedNamespace(args, context.height);
        return {
          result: ok(bool(true)),
          writes: [{ key: paid.key, value: undefined }, namespaceWrite(context, state)],
        };
      },
    },
    'namespace-ready': {
      access: 'public',
      args: [['namespace', buff(20)]],
      returns: responseOf('bool'),
      run(context, args) {
        const known = namespaceOf(context, labelText(bytesArg(args, 0)));
        if (!known) return fail(1005);
        if (known.importer !== context.sender) return fail(1011);
        if (known.launchedAt !== undefined) return fail(1014);
        if (context.height >= known.revealedAt + launchable) return fail(1010);
        const launchedAt = context.height;
        return succeed(context, { ...known, name: 'namespace-ready', launchedAt }, [
          namespaceWrite(context, { ...known, launchedAt }),
        ]);
      },
    },
    'name-import': {
      access: 'public',
      args: [...nameArgs, ['beneficiary', 'principal'], ['zonefile-hash', buff(20)]],
      returns: responseOf('bool'),
      run(context, args) {
        const known = namespaceOf(context, labelText(bytesArg(args, 0)));
        const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
        if (!known) return fail(1005);
        if (known.importer !== context.sender) return fail(1011);
        if (known.launchedAt !== undefined) return fail(1014);
        if (!isName(fqn.split('.')[0]!)) return fail(2022);
        if (stateOf(context, fqn)) return fail(2004);
        if (isTaken(context, to)) return fail(3001);
        const state = { owner: to, registeredAt: context.height, revoked: false };
        const call = { name: 'name-import', fqn, to, zonefile: bareHex(bytesArg(args, 3)) } as const;
        return succeed(context, call, nameWrites(context, fqn, state));
      },
    },
    'name-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-fqn'),
      returns: responseOf('uint128'),
      run: (context, args) => preorder(context, args, 'name-preorders', { exists: 2016, none: 2007 }),
    },
    'name-register': {
      access: 'public',
      args: [...nameArgs, ['salt', buff(20)], ['zonefile-hash', buff(20)]],
      returns: responseOf('bool'),
      run(context, args) {
        const { sender, height } = context;
        const [fqn, namespace] = [fqnOf(args), namespaceOf(context, labelText(bytesArg(args, 0)))];
        const name = labelText(bytesArg(args, 1));
        if (!namespace) return fail(1005);
        if (namespace.launchedAt === undefined) return fail(1007);
        if (!isName(name)) return fail(name === '' ? 2010 : 2022);
        const paid = preorderOf(context, 'name-preorders', preorderHash(fqn, labelText(bytesArg(args, 2))));
        if (!paid) return fail(2001);
        if (paid.at < namespace.launchedAt) return fail(2018);
        if (height >= paid.at + claimable) return fail(2012);
        const known = stateOf(context, fqn);
        // A revoked name is also taken until its lease ends.
        if (known && leaseOf(context, known, namespace.namespace) !== 'over') return fail(2004);
        if (paid.burnt < nameFee(name, namespace)) return fail(2007);
        if (isTaken(context, sender)) return fail(3001);
        const zonefile = bareHex(bytesArg(args, 3));
        const before = known && { before: known.owner };
        const state = { owner: sender, registeredAt: height, revoked: false };
        return succeed(context, { name: 'name-register', fqn, zonefile, ...before }, [
          { key: paid.key, value: undefined },
          ...nameWrites(context, fqn, state, known?.owner),
        ]);
      },
    },
    'name-update': {
      access: 'public',
      args: [...nameArgs, ['zonefile-hash', buff(20)]],
      returns: responseOf('bool'),
      run(context, args) {
        const known = ownName(context, args);
        if (typeof known === 'number') return fail(known);
        return succeed(context, { name: 'name-update', fqn: fqnOf(args), zonefile: bareHex(bytesArg(args, 2)) }, []);
      },
    },
    'name-transfer': {
      access: 'public',
      args: [...nameArgs, ['new-owner', 'principal'], ['zonefile-hash', { optional: buff(20) }]],
      returns: responseOf('bool'),
      run(context, args) {
        const known = ownName(context, args);
        if (typeof known === 'number') return fail(known);
        const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
        if (isTaken(context, to)) return fail(3001);
        const zonefile = args[3]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 3)) } : {};
        const writes = nameWrites(context, fqn, { ...known, owner: to }, known.owner);
        return succeed(context, { name: 'name-transfer', fqn, to, ...zonefile }, writes);
      },
    },
    'name-renewal': {
      access: 'public',
      args: [
        ...nameArgs,
        ['stx-to-burn', 'uint128'],
        ['new-owner', { optional: 'principal' }],
        ['zonefile-hash', { optional: buff(20) }],
      ],
      returns: responseOf('bool'),
      run(context, args) {
        const { sender, height, state } = context;
        const known = ownName(context, args, true);
        if (typeof known === 'number') return fail(known);
        const [fqn, amount] = [fqnOf(args), uintArg(args, 2)];
        const namespace = namespaceOf(context, labelText(bytesArg(args, 0)))!;
        if (namespace.lifetime === 0) return fail(2006);
        // The devnet supports renewals only by the owner.
        if (args[3]?.type === 'some') return fail(2006);
        if (amount < nameFee(labelText(bytesArg(args, 1)), namespace)) return fail(2007);
        if (state.spendable(sender) < amount) return fail(4001);
        const zonefile = args[4]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 4)) } : {};
        const writes = nameWrites(context, fqn, { ...known, registeredAt: height });
        const { events = [], ...rest } = succeed(context, { name: 'name-renewal', fqn, ...zonefile }, writes);
        return { ...rest, events: [{ kind: 'stx_burn', sender, amount }, ...events] };
      },
    },
    'name-revoke': {
      access: 'public',
      args: nameArgs,
      returns: responseOf('bool'),
      run(context, args) {
        const known = ownName(context, args);
        if (typeof known === 'number') return fail(known);
        const fqn = fqnOf(args);
        return succeed(context, { name: 'name-revoke', fqn }, nameWrites(context, fqn, { ...known, revoked: true }));
      },
    },
    'get-namespace-price': {
      access: 'read_only',
      args: [['namespace', buff(20)]],
      returns: responseOf('uint128'),
      run(_, args) {
        const namespace = labelText(bytesArg(args, 0));
        return namespace === '' ? fail(1013) : { result: ok(uint(namespaceCost(namespace))) };
      },
    },
    'get-name-price': {
      access: 'read_only',
      args: nameArgs,
      returns: responseOf('uint128'),
      run(context, args) {
        const [namespace, name] = [namespaceOf(context, labelText(bytesArg(args, 0))), labelText(bytesArg(args, 1))];
        const cost = namespace && name !== '' ? nameCost(name, namespace.price) : undefined;
        return cost === undefined ? fail(namespace ? 2010 : 1005) : { result: ok(uint(cost)) };
      },
    },
    'can-name-be-registered': {
      access: 'read_only',
      args: nameArgs,
      returns: responseOf('bool'),
      run(context, args) {
        const [namespace, known] = [labelText(bytesArg(args, 0)), stateOf(context, fqnOf(args))];
        return { result: ok(bool(!known || leaseOf(context, known, namespace) === 'over')) };
      },
    },
    'resolve-principal': {
      access: 'read_only',
      args: [['owner', 'principal']],
      returns: { response: { ok: nameTupleType, error: 'none' } },
      run({ state, contract }, args) {
        const fqn = nameHeldBy(state, contract, principalArg(args, 0));
        return { result: fqn === undefined ? err(none) : ok(nameTuple(fqn)) };
      },
    },
    'get-namespace-properties': {
      access: 'read_only',
      args: [['namespace', buff(20)]],
      returns: responseOf(propertiesType),
      run(context, args) {
        const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
        if (!namespace) return fail(1005);
        const properties = tuple({
          'can-update-price-function': bool(true),
          'launched-at': namespace.launchedAt === undefined ? none : some(uint(namespace.launchedAt)),
          lifetime: uint(namespace.lifetime),
          'namespace-import': principal(namespace.importer),
          'price-function': namespace.price,
          'revealed-at': uint(namespace.revealedAt),
        });
        return { result: ok(tuple({ namespace: args[0]!, properties })) };
      },
    },
  },
  source: `;; bns, as the devnet models it: the outline of the first naming contract.
(define-non-fungible-token names {name: (buff 48), namespace: (buff 20)})
(define-map namespaces (buff 20)
  {namespace-import: principal, revealed-at: uint, launched-at: (optional uint), lifetime: uint})
(define-map name-preorders {hashed-salted-fqn: (buff 20), buyer: principal} {created-at: uint, stx-burned: uint})
;; namespace-preorder, namespace-reveal, namespace-ready, name-import
;; name-preorder, name-register, name-update, name-transfer, name-renewal, name-revoke
`,
};

function preorder(
  context: CallContext,
  args: readonly ClarityValue[],
  map: string,
  codes: { exists: number; none: number },
): Outcome {
  const { state, sender, height } = context;
  const [hash, amount] = [bytesArg(args, 0), uintArg(args, 1)];
  const known = preorderOf(context, map, hash);
  if (known && height < known.at + claimable) return fail(codes.exists);
  if (amount === 0n) return fail(codes.none);
  if (state.spendable(sender) < amount) return fail(4001);
  return preordered(context, map, hash, amount, height);
}
