import { isName } from '@cairn-stacks/codec/bns-name';
import { bool, ok, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bareHex } from '@cairn-stacks/codec/hex';
import { readOutline } from '../../clarity/outline.ts';
import {
  bindOutline,
  bytesArg,
  type CallContext,
  type ContractModel,
  type Outcome,
  outlineSource,
  principalArg,
  uintArg,
  type Write,
} from '../contract-model.ts';
import { bnsOutline } from '../interfaces/bns.ts';
import { type BnsCall, bnsEffects } from './bns-contract.ts';
import { nameFailure as fail, firstNameConstants } from './names-errors.ts';
import { firstNameEntries, firstNameReads } from './names-reads.ts';
import { isTaken, leaseOf, nameWrites, ownName, stateOf } from './names-state.ts';
import {
  claimable,
  fqnOf,
  isNamespaceText,
  labelText,
  launchable,
  nameFee,
  namespaceCost,
  namespaceHash,
  namespaceOf,
  namespaceWrite,
  preordered,
  preorderHash,
  preorderOf,
  priceIn,
  revealedNamespace,
} from './namespace-model.ts';

function succeed({ sender, mainnet }: CallContext, call: BnsCall, writes: Write[]): Outcome {
  const { events, result } = bnsEffects(call, sender, mainnet);
  return { result: ok(result), events, writes };
}

const outline = readOutline(bnsOutline);

/** The model of the first naming contract. Heights are block heights. */
export const namesModel: ContractModel = {
  name: 'bns',
  outline,
  constants: firstNameConstants,
  entries: firstNameEntries,
  initial: { 'attachment-index': uint(0) },
  functions: bindOutline(outline, {
    'namespace-preorder': (context, args) =>
      preorder(context, args, 'namespace-preorders', { exists: 1003, none: 1012 }),
    'namespace-reveal'(context, args) {
      const namespace = labelText(bytesArg(args, 0));
      const hash = namespaceHash('v1', namespace, labelText(bytesArg(args, 1)));
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
    'namespace-ready'(context, args) {
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
    'namespace-update-function-price'(context, args) {
      const known = priceEditable(context, args);
      return typeof known === 'number'
        ? fail(known)
        : { result: ok(bool(true)), writes: [namespaceWrite(context, { ...known, price: priceIn(args, 1) })] };
    },
    'namespace-revoke-function-price-edition'(context, args) {
      const known = priceEditable(context, args);
      return typeof known === 'number'
        ? fail(known)
        : { result: ok(bool(true)), writes: [namespaceWrite(context, { ...known, priceFixed: true })] };
    },
    'name-import'(context, args) {
      const known = namespaceOf(context, labelText(bytesArg(args, 0)));
      const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
      if (!known) return fail(1005);
      if (known.importer !== context.sender) return fail(1011);
      if (known.launchedAt !== undefined) return fail(1014);
      if (!isName(fqn.split('.')[0]!)) return fail(2022);
      if (stateOf(context, fqn)) return fail(2004);
      if (isTaken(context, to)) return fail(3001);
      const zonefile = bytesArg(args, 3);
      const state = { owner: to, registeredAt: context.height, revoked: false, imported: true, zonefile };
      const call = { name: 'name-import', fqn, to, zonefile: bareHex(zonefile) } as const;
      return succeed(context, call, nameWrites(context, fqn, state));
    },
    'name-preorder': (context, args) => preorder(context, args, 'name-preorders', { exists: 2016, none: 2007 }),
    'name-register'(context, args) {
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
      const state = { owner: sender, registeredAt: height, revoked: false, zonefile: bytesArg(args, 3) };
      return succeed(context, { name: 'name-register', fqn, zonefile, ...before }, [
        { key: paid.key, value: undefined },
        ...nameWrites(context, fqn, state, known?.owner),
      ]);
    },
    'name-update'(context, args) {
      const known = ownName(context, args);
      if (typeof known === 'number') return fail(known);
      const zonefile = bytesArg(args, 2);
      const writes = nameWrites(context, fqnOf(args), { ...known, zonefile });
      return succeed(context, { name: 'name-update', fqn: fqnOf(args), zonefile: bareHex(zonefile) }, writes);
    },
    'name-transfer'(context, args) {
      const known = ownName(context, args);
      if (typeof known === 'number') return fail(known);
      const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
      if (isTaken(context, to)) return fail(3001);
      const zonefile = args[3]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 3)) } : {};
      const writes = nameWrites(context, fqn, { ...known, owner: to, zonefile: bytesArg(args, 3) }, known.owner);
      return succeed(context, { name: 'name-transfer', fqn, to, ...zonefile }, writes);
    },
    'name-renewal'(context, args) {
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
      const writes = nameWrites(context, fqn, {
        ...known,
        registeredAt: height,
        ...(args[4]?.type === 'some' && { zonefile: bytesArg(args, 4) }),
      });
      const { events = [], ...rest } = succeed(context, { name: 'name-renewal', fqn, ...zonefile }, writes);
      return { ...rest, events: [{ kind: 'stx_burn', sender, amount }, ...events] };
    },
    'name-revoke'(context, args) {
      const known = ownName(context, args);
      if (typeof known === 'number') return fail(known);
      const fqn = fqnOf(args);
      return succeed(context, { name: 'name-revoke', fqn }, nameWrites(context, fqn, { ...known, revoked: true }));
    },
    ...firstNameReads,
  }),
  source: outlineSource('bns', outline),
};

/** The namespace of a call whose price function its importer may change; otherwise an error code. */
function priceEditable(context: CallContext, args: readonly ClarityValue[]) {
  const known = namespaceOf(context, labelText(bytesArg(args, 0)));
  if (!known) return 1005;
  if (known.importer !== context.sender) return 1011;
  return known.priceFixed ? 1011 : known;
}

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
