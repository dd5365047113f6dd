import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, ok, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesArg,
  type CallContext,
  type ContractModel,
  fail,
  flagArg,
  type Outcome,
  principalArg,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { type BnsV2Call, bnsV2Effects } from './bns-v2-contract.ts';
import { managementFunctions } from './names-v2-management.ts';
import { nameReads } from './names-v2-reads.ts';
import { claim, preorder, takeOver } from './names-v2-registration.ts';
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
  namespaceHash,
  namespaceOf,
  namespaceWrite,
  preorderArgs,
  preorderHash,
  preorderOf,
  revealArgs,
  revealedNamespace,
} from './namespace-model.ts';

const responseOf = (type: AbiType): AbiType => ({ response: { ok: type, error: 'uint128' } });

function succeed({ sender, mainnet }: CallContext, call: BnsV2Call, writes: Write[]): Outcome {
  const { events, result } = bnsV2Effects(call, sender, mainnet);
  return { result: ok(result), events, writes };
}

/** A launched namespace without a manager: only there can everybody register. */
function openNamespace(context: CallContext, args: readonly ClarityValue[], at: number): NamespaceState | Outcome {
  const namespace = namespaceOf(context, labelText(bytesArg(args, at)));
  if (!namespace) return fail(113);
  if (namespace.launchedAt === undefined) return fail(117);
  return namespace.manager === undefined ? namespace : fail(122);
}

const isOutcome = (value: NamespaceState | Outcome): value is Outcome => 'result' in value;

/** The model of the second naming contract: each name is a token. Heights are burn heights. */
export const namesV2Model: ContractModel = {
  name: 'BNS-V2',
  nonFungibleTokens: [{ name: 'BNS-V2', type: 'uint128' }],
  variables: [{ name: 'bns-index', type: 'uint128', access: 'variable' }],
  initial: { 'bns-index': uint(0) },
  functions: {
    'namespace-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-namespace'),
      returns: responseOf('uint128'),
      run: (context, args) => preorder(context, args, 'namespace-preorders'),
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
      returns: responseOf('bool'),
      run(context, args) {
        const namespace = labelText(bytesArg(args, 0));
        const hash = namespaceHash('v2', namespace, labelText(bytesArg(args, 1)));
        const paid = preorderOf(context, 'namespace-preorders', hash);
        if (!paid) return fail(109);
        if (!isNamespaceText(bytesArg(args, 0))) return fail(namespace === '' ? 119 : 110);
        if (namespaceOf(context, namespace)) return fail(111);
        if (paid.burnt < namespaceCost(namespace)) return fail(108);
        if (context.burnHeight > paid.at + claimable) return fail(112);
        const manager = args[24]?.type === 'some' ? { manager: principalArg([args[24].value], 0) } : {};
        const [priceFixed, managerTransferable, managerFrozen] = [
          !flagArg(args, 25),
          flagArg(args, 26),
          flagArg(args, 27),
        ];
        const terms = { priceFixed, managerTransferable, managerFrozen };
        const state = { ...revealedNamespace(args, context.burnHeight), ...manager, ...terms };
        return {
          result: ok(bool(true)),
          writes: [{ key: paid.key, value: undefined }, namespaceWrite(context, state)],
        };
      },
    },
    'namespace-launch': {
      access: 'public',
      args: [['namespace', buff(20)]],
      returns: responseOf('bool'),
      run(context, args) {
        const known = namespaceOf(context, labelText(bytesArg(args, 0)));
        if (!known) return fail(113);
        if (known.importer !== context.sender) return fail(114);
        if (known.launchedAt !== undefined) return fail(115);
        if (context.burnHeight > known.revealedAt + launchable) return fail(116);
        const launchedAt = context.burnHeight;
        return succeed(context, { ...known, name: 'namespace-launch', launchedAt }, [
          namespaceWrite(context, { ...known, launchedAt }),
        ]);
      },
    },
    'name-preorder': {
      access: 'public',
      args: preorderArgs('hashed-salted-fqn'),
      returns: responseOf('uint128'),
      run: (context, args) => preorder(context, args, 'name-preorders'),
    },
    'name-register': {
      access: 'public',
      args: [...nameArgs, ['salt', buff(20)]],
      returns: responseOf('uint128'),
      run(context, args) {
        const namespace = openNamespace(context, args, 0);
        if (isOutcome(namespace)) return namespace;
        const [fqn, name] = [fqnOf(args), labelText(bytesArg(args, 1))];
        const paid = preorderOf(context, 'name-preorders', preorderHash(fqn, labelText(bytesArg(args, 2))));
        if (!paid) return fail(109);
        if (paid.burnt < nameFee(name, namespace)) return fail(108);
        if (context.burnHeight > paid.at + claimable) return fail(112);
        if (paid.at < namespace.launchedAt!) return fail(121);
        const known = nameByText(context, fqn);
        const outcome = known
          ? takeOver(context, known, namespace, paid)
          : claim(context, fqn, context.sender, namespace, paid.burnt, paid.at);
        if (!outcome.writes) return outcome;
        return {
          ...outcome,
          events: [{ kind: 'stx_burn', sender: context.contract, amount: paid.burnt }, ...(outcome.events ?? [])],
          writes: [...outcome.writes, { key: paid.key, value: undefined }],
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
      returns: responseOf('uint128'),
      run(context, args) {
        const namespace = openNamespace(context, args, 1);
        if (isOutcome(namespace)) return namespace;
        const name = labelText(bytesArg(args, 0));
        const cost = nameFee(name, namespace);
        const { sender } = context;
        if (context.state.spendable(sender) < cost) return { result: { type: 'err', value: uint(1) } };
        const outcome = claim(context, `${name}.${namespace.namespace}`, principalArg(args, 2), namespace, cost);
        if (!outcome.events) return outcome;
        return { ...outcome, events: [{ kind: 'stx_burn', sender, amount: cost }, ...outcome.events] };
      },
    },
    'name-renewal': {
      access: 'public',
      args: nameArgs,
      returns: responseOf('bool'),
      run(context, args) {
        const { state, sender, burnHeight } = context;
        const namespace = openNamespace(context, args, 0);
        if (isOutcome(namespace)) return namespace;
        const fqn = fqnOf(args);
        const known = nameByText(context, fqn);
        if (!known) return fail(106);
        if (namespace.lifetime === 0) return fail(129);
        const lease = leaseOf(context, known, namespace);
        const mine = known.owner === sender;
        if (!mine && lease !== 'over') return fail(102);
        const cost = nameFee(labelText(bytesArg(args, 1)), namespace);
        if (state.spendable(sender) < cost) return { result: { type: 'err', value: uint(1) } };
        // Before its end a lease is extended from its end; after it, from now.
        const renewal =
          lease === 'active' ? endOf(known, namespace) + namespace.lifetime : burnHeight + namespace.lifetime;
        const renewed: NameState = { fqn, id: known.id, owner: sender, renewal, since: known.since, burnt: cost };
        const burnt = { kind: 'stx_burn' as const, sender, amount: cost };
        const call: BnsV2Call = mine
          ? { name: 'name-renewal', fqn, id: known.id, ...(lease !== 'over' && { renewal }) }
          : { name: 'take-over', fqn, id: known.id, before: known.owner, renewal };
        const writes = [
          ...nameWrites(context, mine ? { ...known, renewal } : renewed),
          ...(mine ? [] : primaryWrites(context, known.id, known.owner, sender)),
        ];
        const { events = [], ...rest } = succeed(context, call, writes);
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
      returns: responseOf('bool'),
      run(context, args) {
        const [id, owner, to] = [Number(uintArg(args, 0)), principalArg(args, 1), principalArg(args, 2)];
        const known = nameById(context, id);
        if (!known) return fail(106);
        if (owner !== context.sender || known.owner !== owner || to === owner) return fail(102);
        if (known.price !== undefined) return fail(105);
        const namespace = namespaceOf(context, known.fqn.split('.')[1]!)!;
        const { renewal } = known;
        return succeed(
          context,
          { name: 'transfer', fqn: known.fqn, id, to, renewal: renewal || endOf(known, namespace) },
          [...nameWrites(context, { ...known, owner: to }), ...primaryWrites(context, id, owner, to)],
        );
      },
    },
    'list-in-ustx': {
      access: 'public',
      args: [
        ['id', 'uint128'],
        ['price', 'uint128'],
        ['comm-trait', 'trait_reference'],
      ],
      returns: responseOf('bool'),
      run(context, args) {
        const known = nameById(context, Number(uintArg(args, 0)));
        if (!known) return fail(106);
        if (known.owner !== context.sender) return fail(102);
        const price = uintArg(args, 1);
        return succeed(
          context,
          { name: 'list-in-ustx', id: known.id, price },
          nameWrites(context, { ...known, price }),
        );
      },
    },
    'unlist-in-ustx': {
      access: 'public',
      args: [['id', 'uint128']],
      returns: responseOf('bool'),
      run(context, args) {
        const known = nameById(context, Number(uintArg(args, 0)));
        if (!known) return fail(106);
        if (known.owner !== context.sender) return fail(102);
        if (known.price === undefined) return fail(103);
        const { price: _, ...unlisted } = known;
        return succeed(context, { name: 'unlist-in-ustx', id: known.id }, nameWrites(context, unlisted));
      },
    },
    'set-primary-name': {
      access: 'public',
      args: [['primary-name-id', 'uint128']],
      returns: responseOf('bool'),
      run(context, args) {
        const known = nameById(context, Number(uintArg(args, 0)));
        if (!known) return fail(106);
        if (known.owner !== context.sender) return fail(102);
        const key = primaryKey(context.contract, context.sender);
        return succeed(context, { name: 'set-primary-name', id: known.id }, [{ key, value: uint(known.id) }]);
      },
    },
    ...managementFunctions,
    ...nameReads,
  },
  source: `;; BNS-V2, as the devnet models it: the outline of the second naming contract.
(define-non-fungible-token BNS-V2 uint)
(define-data-var bns-index uint u0)
;; namespace-preorder, namespace-reveal, namespace-launch, namespace-update-price, namespace-freeze-price
;; freeze-manager, turn-off-manager-transfers, name-import, name-preorder, name-register, name-claim-fast, name-renewal
;; claim-preorder, transfer, list-in-ustx, unlist-in-ustx, buy-in-ustx, set-primary-name
`,
};
