import { isName } from '../../../chain/names/name.ts';
import type { AbiType } from '../../../codec/clarity/abi.ts';
import { bool, ok, uint } from '../../../codec/clarity/build.ts';
import type { ClarityValue } from '../../../codec/clarity/value.ts';
import {
  bytesArg,
  type ContractModel,
  type Outcome,
  principalArg,
  refuse,
  uintArg,
  uintVariable,
  type Visit,
  variableKey,
  type Write,
} from '../contract-model.ts';
import { type BnsV2Call, bnsV2Effects } from './bns-v2-contract.ts';
import { nameReads } from './names-v2-reads.ts';
import {
  endOf,
  leaseOf,
  type NameState,
  nameById,
  nameByText,
  nameWrites,
  primaryKey,
  primaryWrites,
} from './names-v2-state.ts';
import {
  buff,
  claimable,
  fqnOf,
  isNamespaceText,
  labelText,
  launchable,
  type NamespaceState,
  nameArgs,
  nameFee,
  namespaceCost,
  namespaceOf,
  namespaceWrite,
  preorderArgs,
  preordered,
  preorderHash,
  preorderOf,
  revealArgs,
  revealedNamespace,
} from './namespace-model.ts';

const answer = (type: AbiType): AbiType => ({ response: { ok: type, error: 'uint128' } });

function told({ sender, mainnet }: Visit, call: BnsV2Call, writes: Write[]): Outcome {
  const { events, result } = bnsV2Effects(call, sender, mainnet);
  return { result: ok(result), events, writes };
}

/** A launched namespace without a manager: only there can anybody register. */
function openNamespace(visit: Visit, args: readonly ClarityValue[], at: number): NamespaceState | Outcome {
  const namespace = namespaceOf(visit, labelText(bytesArg(args, at)));
  if (!namespace) return refuse(113);
  if (namespace.launchedAt === undefined) return refuse(117);
  return namespace.manager === undefined ? namespace : refuse(122);
}

const isOutcome = (value: NamespaceState | Outcome): value is Outcome => 'result' in value;

/** The name of the second naming contract: each is a token. Heights are those of burn blocks. */
export const namesV2Model: ContractModel = {
  name: 'BNS-V2',
  nonFungibleTokens: [{ name: 'BNS-V2', type: 'uint128' }],
  variables: [{ name: 'bns-index', type: 'uint128', access: 'variable' }],
  functions: {
    'namespace-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-namespace'),
      returns: answer('uint128'),
      run: (visit, args) => preorder(visit, args, 'namespace-preorders'),
    },
    'namespace-reveal': {
      access: 'public',
      args: [
        ...revealArgs,
        ['namespace-manager', { optional: 'principal' }],
        ['can-update-price', 'bool'],
        ['manager-transfers', 'bool'],
        ['manager-frozen', 'bool'],
      ],
      returns: answer('bool'),
      run(visit, args) {
        const namespace = labelText(bytesArg(args, 0));
        const hash = preorderHash(namespace, labelText(bytesArg(args, 1)));
        const paid = preorderOf(visit, 'namespace-preorders', hash);
        if (!paid) return refuse(109);
        if (!isNamespaceText(bytesArg(args, 0))) return refuse(namespace === '' ? 119 : 110);
        if (namespaceOf(visit, namespace)) return refuse(111);
        if (paid.burnt < namespaceCost(namespace)) return refuse(108);
        if (visit.burnHeight > paid.at + claimable) return refuse(112);
        const manager = args[24]?.type === 'some' ? { manager: principalArg([args[24].value], 0) } : {};
        const state = { ...revealedNamespace(args, visit.burnHeight), ...manager };
        return { result: ok(bool(true)), writes: [{ key: paid.key, value: undefined }, namespaceWrite(visit, state)] };
      },
    },
    'namespace-launch': {
      access: 'public',
      args: [['namespace', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const known = namespaceOf(visit, labelText(bytesArg(args, 0)));
        if (!known) return refuse(113);
        if (known.importer !== visit.sender) return refuse(114);
        if (known.launchedAt !== undefined) return refuse(115);
        if (visit.burnHeight > known.revealedAt + launchable) return refuse(116);
        const launchedAt = visit.burnHeight;
        return told(visit, { ...known, name: 'namespace-launch', launchedAt }, [
          namespaceWrite(visit, { ...known, launchedAt }),
        ]);
      },
    },
    'name-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-fqn'),
      returns: answer('uint128'),
      run: (visit, args) => preorder(visit, args, 'name-preorders'),
    },
    'name-register': {
      access: 'public',
      args: [...nameArgs, ['salt', buff(20)]],
      returns: answer('uint128'),
      run(visit, args) {
        const namespace = openNamespace(visit, args, 0);
        if (isOutcome(namespace)) return namespace;
        const [fqn, name] = [fqnOf(args), labelText(bytesArg(args, 1))];
        const paid = preorderOf(visit, 'name-preorders', preorderHash(fqn, labelText(bytesArg(args, 2))));
        if (!paid) return refuse(109);
        if (paid.burnt < nameFee(name, namespace)) return refuse(108);
        if (visit.burnHeight > paid.at + claimable) return refuse(112);
        if (paid.at < namespace.launchedAt!) return refuse(121);
        const outcome = claim(visit, fqn, visit.sender, namespace);
        return {
          ...outcome,
          ...(outcome.writes && { writes: [...outcome.writes, { key: paid.key, value: undefined }] }),
        };
      },
    },
    'name-claim-fast': {
      access: 'public',
      args: [
        ['name', buff(48)],
        ['namespace', buff(20)],
        ['send-to', 'principal'],
      ],
      returns: answer('uint128'),
      run(visit, args) {
        const namespace = openNamespace(visit, args, 1);
        if (isOutcome(namespace)) return namespace;
        const name = labelText(bytesArg(args, 0));
        const cost = nameFee(name, namespace);
        const { sender } = visit;
        if (visit.state.spendable(sender) < cost) return { result: { type: 'err', value: uint(1) } };
        const outcome = claim(visit, `${name}.${namespace.namespace}`, principalArg(args, 2), namespace);
        if (!outcome.events) return outcome;
        return { ...outcome, events: [{ kind: 'stx_burn', sender, amount: cost }, ...outcome.events] };
      },
    },
    'name-renewal': {
      access: 'public',
      args: nameArgs,
      returns: answer('bool'),
      run(visit, args) {
        const { state, sender, burnHeight } = visit;
        const namespace = openNamespace(visit, args, 0);
        if (isOutcome(namespace)) return namespace;
        const fqn = fqnOf(args);
        const known = nameByText(visit, fqn);
        if (!known) return refuse(106);
        if (namespace.lifetime === 0) return refuse(129);
        const lease = leaseOf(visit, known, namespace);
        const mine = known.owner === sender;
        if (!mine && lease !== 'over') return refuse(102);
        const cost = nameFee(labelText(bytesArg(args, 1)), namespace);
        if (state.spendable(sender) < cost) return { result: { type: 'err', value: uint(1) } };
        // Before its end a lease goes on from there; after it, from now on.
        const renewal =
          lease === 'active' ? endOf(known, namespace) + namespace.lifetime : burnHeight + namespace.lifetime;
        const renewed: NameState = { fqn, id: known.id, owner: sender, renewal };
        const burnt = { kind: 'stx_burn' as const, sender, amount: cost };
        const call: BnsV2Call = mine
          ? { name: 'name-renewal', fqn, id: known.id, ...(lease !== 'over' && { renewal }) }
          : { name: 'take-over', fqn, id: known.id, before: known.owner, renewal };
        const writes = [
          ...nameWrites(visit, mine ? { ...known, renewal } : renewed),
          ...(mine ? [] : primaryWrites(visit, known.id, known.owner, sender)),
        ];
        const { events = [], ...rest } = told(visit, call, writes);
        return { ...rest, events: [burnt, ...events] };
      },
    },
    transfer: {
      access: 'public',
      args: [
        ['id', 'uint128'],
        ['owner', 'principal'],
        ['recipient', 'principal'],
      ],
      returns: answer('bool'),
      run(visit, args) {
        const [id, owner, to] = [Number(uintArg(args, 0)), principalArg(args, 1), principalArg(args, 2)];
        const known = nameById(visit, id);
        if (!known) return refuse(106);
        if (owner !== visit.sender || known.owner !== owner || to === owner) return refuse(102);
        if (known.price !== undefined) return refuse(105);
        const namespace = namespaceOf(visit, known.fqn.split('.')[1]!)!;
        const { renewal } = known;
        return told(visit, { name: 'transfer', fqn: known.fqn, id, to, renewal: renewal || endOf(known, namespace) }, [
          ...nameWrites(visit, { fqn: known.fqn, id, owner: to, renewal }),
          ...primaryWrites(visit, id, owner, to),
        ]);
      },
    },
    'list-in-ustx': {
      access: 'public',
      args: [
        ['id', 'uint128'],
        ['price', 'uint128'],
        ['comm-trait', 'trait_reference'],
      ],
      returns: answer('bool'),
      run(visit, args) {
        const known = nameById(visit, Number(uintArg(args, 0)));
        if (!known) return refuse(106);
        if (known.owner !== visit.sender) return refuse(102);
        const price = uintArg(args, 1);
        return told(visit, { name: 'list-in-ustx', id: known.id, price }, nameWrites(visit, { ...known, price }));
      },
    },
    'unlist-in-ustx': {
      access: 'public',
      args: [['id', 'uint128']],
      returns: answer('bool'),
      run(visit, args) {
        const known = nameById(visit, Number(uintArg(args, 0)));
        if (!known) return refuse(106);
        if (known.owner !== visit.sender) return refuse(102);
        if (known.price === undefined) return refuse(103);
        const { price: _, ...unlisted } = known;
        return told(visit, { name: 'unlist-in-ustx', id: known.id }, nameWrites(visit, unlisted));
      },
    },
    'set-primary-name': {
      access: 'public',
      args: [['primary-name-id', 'uint128']],
      returns: answer('bool'),
      run(visit, args) {
        const known = nameById(visit, Number(uintArg(args, 0)));
        if (!known) return refuse(106);
        if (known.owner !== visit.sender) return refuse(102);
        const key = primaryKey(visit.contract, visit.sender);
        return told(visit, { name: 'set-primary-name', id: known.id }, [{ key, value: uint(known.id) }]);
      },
    },
    ...nameReads,
  },
  source: `;; BNS-V2, as the devnet models it: the outline of the second naming contract.
(define-non-fungible-token BNS-V2 uint)
(define-data-var bns-index uint u0)
;; namespace-preorder, namespace-reveal, namespace-launch
;; name-preorder, name-register, name-claim-fast, name-renewal, transfer, list-in-ustx, unlist-in-ustx, set-primary-name
`,
};

/** Mints the next token for a name that nobody has. */
function claim(visit: Visit, fqn: string, to: string, namespace: NamespaceState): Outcome {
  const name = fqn.split('.')[0]!;
  if (!isName(name)) return refuse(name === '' ? 120 : 110);
  if (nameByText(visit, fqn)) return refuse(118);
  const id = Number(uintVariable(visit, 'bns-index')) + 1;
  const renewal = namespace.lifetime === 0 ? 0 : visit.burnHeight + namespace.lifetime;
  const { events } = bnsV2Effects({ name: 'name-register', fqn, id, renewal }, to, visit.mainnet);
  return {
    result: ok(uint(id)),
    events,
    writes: [
      { key: variableKey(visit.contract, 'bns-index'), value: uint(id) },
      ...nameWrites(visit, { fqn, id, owner: to, renewal }),
      ...primaryWrites(visit, id, undefined, to),
    ],
  };
}

function preorder(visit: Visit, args: readonly ClarityValue[], map: string): Outcome {
  const { state, sender, burnHeight } = visit;
  const [hash, amount] = [bytesArg(args, 0), uintArg(args, 1)];
  if (hash.length !== 20) return refuse(107);
  const known = preorderOf(visit, map, hash);
  if (known && burnHeight <= known.at + claimable) return refuse(126);
  if (amount === 0n) return refuse(108);
  if (state.spendable(sender) < amount) return { result: { type: 'err', value: uint(1) } };
  return preordered(visit, map, hash, amount, burnHeight);
}
