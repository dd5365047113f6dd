import { isName } from '../../../chain/names/name.ts';
import type { AbiType } from '../../../codec/clarity/abi.ts';
import { bool, err, int, none, ok, principal, some, tuple, uint } from '../../../codec/clarity/build.ts';
import type { ClarityValue } from '../../../codec/clarity/value.ts';
import { bareHex } from '../../../codec/hex.ts';
import {
  bytesArg,
  type ContractModel,
  fieldsIn,
  type Outcome,
  principalArg,
  recall,
  uintArg,
  type Visit,
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

const answer = (type: AbiType): AbiType => ({ response: { ok: type, error: 'int128' } });
const refuse = (code: number): Outcome => ({ result: err(int(code)) });

type NameState = { owner: string; registeredAt: number; revoked: boolean };

const nameKey = (contract: string, fqn: string) => `${contract} name ${fqn}`;
const heldKey = (contract: string, owner: string) => `${contract} held by ${owner}`;

function stateOf({ state, contract }: Pick<Visit, 'state' | 'contract'>, fqn: string): NameState | undefined {
  const fields = fieldsIn(recall(state, nameKey(contract, fqn)));
  if (!fields) return undefined;
  const revoked = fields.get('revoked');
  return {
    owner: principalArg([fields.get('owner')!], 0),
    registeredAt: Number(uintArg([fields.get('registered-at')!], 0)),
    revoked: revoked?.type === 'bool' && revoked.value,
  };
}

/** Remembers a name, and by whom it is held: an account has one name at most. */
function nameWrites({ contract }: Visit, fqn: string, { owner, registeredAt, revoked }: NameState, before?: string) {
  const value = tuple({ owner: principal(owner), 'registered-at': uint(registeredAt), revoked: bool(revoked) });
  const writes: Write[] = [{ key: nameKey(contract, fqn), value }];
  if (before !== undefined && before !== owner) writes.push({ key: heldKey(contract, before), value: undefined });
  writes.push({ key: heldKey(contract, owner), value: label(fqn) });
  return writes;
}

/** The name that an account holds. */
export function nameHeldBy(state: Visit['state'], contract: string, owner: string): string | undefined {
  const held = recall(state, heldKey(contract, owner));
  return held && labelText(bytesArg([held], 0));
}

type Lease = 'active' | 'grace' | 'over';

function leaseOf(visit: Visit, { registeredAt }: NameState, namespace: string): Lease {
  const lifetime = namespaceOf(visit, namespace)?.lifetime ?? 0;
  if (lifetime === 0 || visit.height <= registeredAt + lifetime) return 'active';
  return visit.height <= registeredAt + lifetime + grace ? 'grace' : 'over';
}

/** Whether an account holds a name whose lease is not over. */
function isTaken(visit: Visit, owner: string): boolean {
  const fqn = nameHeldBy(visit.state, visit.contract, owner);
  const held = fqn === undefined ? undefined : stateOf(visit, fqn);
  return held !== undefined && !held.revoked && leaseOf(visit, held, fqn!.split('.')[1]!) !== 'over';
}

/** The name of a call by its owner, as long as its lease lasts; a number says why not. */
function ownName(visit: Visit, args: readonly ClarityValue[], mayBeEnding = false): NameState | number {
  const namespace = labelText(bytesArg(args, 0));
  if (!namespaceOf(visit, namespace)) return 1005;
  const known = stateOf(visit, fqnOf(args));
  if (!known) return 2013;
  if (known.owner !== visit.sender) return 2006;
  if (known.revoked) return 2014;
  const lease = leaseOf(visit, known, namespace);
  if (lease === 'over') return 2008;
  return lease === 'grace' && !mayBeEnding ? 2009 : known;
}

function told({ sender, mainnet }: Visit, call: BnsCall, writes: Write[]): Outcome {
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

/** Names by the first naming contract. Heights are those of blocks. */
export const namesModel: ContractModel = {
  name: 'bns',
  nonFungibleTokens: [{ name: 'names', type: nameTupleType }],
  functions: {
    'namespace-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-namespace'),
      returns: answer('uint128'),
      run: (visit, args) => preorder(visit, args, 'namespace-preorders', { exists: 1003, none: 1012 }),
    },
    'namespace-reveal': {
      access: 'public',
      args: revealArgs,
      returns: answer('bool'),
      run(visit, args) {
        const namespace = labelText(bytesArg(args, 0));
        const hash = preorderHash(namespace, labelText(bytesArg(args, 1)));
        const paid = preorderOf(visit, 'namespace-preorders', hash);
        if (!paid) return refuse(1001);
        if (!isNamespaceText(bytesArg(args, 0))) return refuse(namespace === '' ? 1013 : 1016);
        if (namespaceOf(visit, namespace)) return refuse(1006);
        if (paid.burnt < namespaceCost(namespace)) return refuse(1012);
        if (visit.height >= paid.at + claimable) return refuse(1009);
        const state = revealedNamespace(args, visit.height);
        return { result: ok(bool(true)), writes: [{ key: paid.key, value: undefined }, namespaceWrite(visit, state)] };
      },
    },
    'namespace-ready': {
      access: 'public',
      args: [['namespace', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const known = namespaceOf(visit, labelText(bytesArg(args, 0)));
        if (!known) return refuse(1005);
        if (known.importer !== visit.sender) return refuse(1011);
        if (known.launchedAt !== undefined) return refuse(1014);
        if (visit.height >= known.revealedAt + launchable) return refuse(1010);
        const launchedAt = visit.height;
        return told(visit, { ...known, name: 'namespace-ready', launchedAt }, [
          namespaceWrite(visit, { ...known, launchedAt }),
        ]);
      },
    },
    'name-import': {
      access: 'public',
      args: [...nameArgs, ['beneficiary', 'principal'], ['zonefile-hash', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const known = namespaceOf(visit, labelText(bytesArg(args, 0)));
        const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
        if (!known) return refuse(1005);
        if (known.importer !== visit.sender) return refuse(1011);
        if (known.launchedAt !== undefined) return refuse(1014);
        if (!isName(fqn.split('.')[0]!)) return refuse(2022);
        if (stateOf(visit, fqn)) return refuse(2004);
        if (isTaken(visit, to)) return refuse(3001);
        const state = { owner: to, registeredAt: visit.height, revoked: false };
        const call = { name: 'name-import', fqn, to, zonefile: bareHex(bytesArg(args, 3)) } as const;
        return told(visit, call, nameWrites(visit, fqn, state));
      },
    },
    'name-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-fqn'),
      returns: answer('uint128'),
      run: (visit, args) => preorder(visit, args, 'name-preorders', { exists: 2016, none: 2007 }),
    },
    'name-register': {
      access: 'public',
      args: [...nameArgs, ['salt', buff(20)], ['zonefile-hash', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const { sender, height } = visit;
        const [fqn, namespace] = [fqnOf(args), namespaceOf(visit, labelText(bytesArg(args, 0)))];
        const name = labelText(bytesArg(args, 1));
        if (!namespace) return refuse(1005);
        if (namespace.launchedAt === undefined) return refuse(1007);
        if (!isName(name)) return refuse(name === '' ? 2010 : 2022);
        const paid = preorderOf(visit, 'name-preorders', preorderHash(fqn, labelText(bytesArg(args, 2))));
        if (!paid) return refuse(2001);
        if (paid.at < namespace.launchedAt) return refuse(2018);
        if (height >= paid.at + claimable) return refuse(2012);
        const known = stateOf(visit, fqn);
        // A revoked name, too, is taken until its lease is over.
        if (known && leaseOf(visit, known, namespace.namespace) !== 'over') return refuse(2004);
        if (paid.burnt < nameFee(name, namespace)) return refuse(2007);
        if (isTaken(visit, sender)) return refuse(3001);
        const zonefile = bareHex(bytesArg(args, 3));
        const before = known && { before: known.owner };
        const state = { owner: sender, registeredAt: height, revoked: false };
        return told(visit, { name: 'name-register', fqn, zonefile, ...before }, [
          { key: paid.key, value: undefined },
          ...nameWrites(visit, fqn, state, known?.owner),
        ]);
      },
    },
    'name-update': {
      access: 'public',
      args: [...nameArgs, ['zonefile-hash', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const known = ownName(visit, args);
        if (typeof known === 'number') return refuse(known);
        return told(visit, { name: 'name-update', fqn: fqnOf(args), zonefile: bareHex(bytesArg(args, 2)) }, []);
      },
    },
    'name-transfer': {
      access: 'public',
      args: [...nameArgs, ['new-owner', 'principal'], ['zonefile-hash', { optional: buff(20) }]],
      returns: answer('bool'),
      run(visit, args) {
        const known = ownName(visit, args);
        if (typeof known === 'number') return refuse(known);
        const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
        if (isTaken(visit, to)) return refuse(3001);
        const zonefile = args[3]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 3)) } : {};
        const writes = nameWrites(visit, fqn, { ...known, owner: to }, known.owner);
        return told(visit, { name: 'name-transfer', fqn, to, ...zonefile }, writes);
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
      returns: answer('bool'),
      run(visit, args) {
        const { sender, height, state } = visit;
        const known = ownName(visit, args, true);
        if (typeof known === 'number') return refuse(known);
        const [fqn, amount] = [fqnOf(args), uintArg(args, 2)];
        const namespace = namespaceOf(visit, labelText(bytesArg(args, 0)))!;
        if (namespace.lifetime === 0) return refuse(2006);
        // The devnet knows renewals for oneself alone.
        if (args[3]?.type === 'some') return refuse(2006);
        if (amount < nameFee(labelText(bytesArg(args, 1)), namespace)) return refuse(2007);
        if (state.spendable(sender) < amount) return refuse(4001);
        const zonefile = args[4]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 4)) } : {};
        const writes = nameWrites(visit, fqn, { ...known, registeredAt: height });
        const { events = [], ...rest } = told(visit, { name: 'name-renewal', fqn, ...zonefile }, writes);
        return { ...rest, events: [{ kind: 'stx_burn', sender, amount }, ...events] };
      },
    },
    'name-revoke': {
      access: 'public',
      args: nameArgs,
      returns: answer('bool'),
      run(visit, args) {
        const known = ownName(visit, args);
        if (typeof known === 'number') return refuse(known);
        const fqn = fqnOf(args);
        return told(visit, { name: 'name-revoke', fqn }, nameWrites(visit, fqn, { ...known, revoked: true }));
      },
    },
    'get-namespace-price': {
      access: 'read_only',
      args: [['namespace', buff(20)]],
      returns: answer('uint128'),
      run(_, args) {
        const namespace = labelText(bytesArg(args, 0));
        return namespace === '' ? refuse(1013) : { result: ok(uint(namespaceCost(namespace))) };
      },
    },
    'get-name-price': {
      access: 'read_only',
      args: nameArgs,
      returns: answer('uint128'),
      run(visit, args) {
        const [namespace, name] = [namespaceOf(visit, labelText(bytesArg(args, 0))), labelText(bytesArg(args, 1))];
        const cost = namespace && name !== '' ? nameCost(name, namespace.price) : undefined;
        return cost === undefined ? refuse(namespace ? 2010 : 1005) : { result: ok(uint(cost)) };
      },
    },
    'can-name-be-registered': {
      access: 'read_only',
      args: nameArgs,
      returns: answer('bool'),
      run(visit, args) {
        const [namespace, known] = [labelText(bytesArg(args, 0)), stateOf(visit, fqnOf(args))];
        return { result: ok(bool(!known || leaseOf(visit, known, namespace) === 'over')) };
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
      returns: answer(propertiesType),
      run(visit, args) {
        const namespace = namespaceOf(visit, labelText(bytesArg(args, 0)));
        if (!namespace) return refuse(1005);
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
  visit: Visit,
  args: readonly ClarityValue[],
  map: string,
  codes: { exists: number; none: number },
): Outcome {
  const { state, sender, height } = visit;
  const [hash, amount] = [bytesArg(args, 0), uintArg(args, 1)];
  const known = preorderOf(visit, map, hash);
  if (known && height < known.at + claimable) return refuse(codes.exists);
  if (amount === 0n) return refuse(codes.none);
  if (state.spendable(sender) < amount) return refuse(4001);
  return preordered(visit, map, hash, amount, height);
}
