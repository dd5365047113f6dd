import { isName } from '@cairn-stacks/codec/bns-name';
import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { bool, ok, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesArg,
  type CallContext,
  fail,
  type ModelFunction,
  type Outcome,
  principalArg,
  uintArg,
  uintVariable,
  variableKey,
} from '../contract-model.ts';
import { bnsV2Effects } from './bns-v2-contract.ts';
import { namespacePropertiesV2 } from './names-v2-reads.ts';
import { endOf, nameById, nameByText, nameWrites, primaryWrites } from './names-v2-state.ts';
import {
  buff,
  claimable,
  fqnOf,
  labelText,
  type NamespaceState,
  nameArgs,
  namespaceOf,
  namespaceWrite,
  preorderOf,
  priceArgs,
  priceIn,
} from './namespace-model.ts';

const response: AbiType = { response: { ok: 'bool', error: 'uint128' } };

/** Changes a namespace by its manager, or by its importer where it has none, and prints it with a status. */
const manage = (
  status: string,
  args: ModelFunction['args'],
  change: (known: NamespaceState, args: readonly ClarityValue[]) => NamespaceState | number,
): ModelFunction => ({
  access: 'public',
  args,
  returns: response,
  run(context, values): Outcome {
    const known = namespaceOf(context, labelText(bytesArg(values, 0)));
    if (!known) return fail(113);
    if ((known.manager ?? known.importer) !== context.caller) return fail(102);
    const changed = change(known, values);
    if (typeof changed === 'number') return fail(changed);
    const printed = tuple({
      namespace: values[0]!,
      status: stringAscii(status),
      properties: some(namespacePropertiesV2(changed)),
    });
    return {
      result: ok(bool(true)),
      events: [{ kind: 'print', contract: context.contract, value: encodeClarity(printed) }],
      writes: [namespaceWrite(context, changed)],
    };
  },
});

const namespaceOnly = [['namespace', buff(20)]] as const;

/** Functions of managers and importers of the second naming contract, and purchases. */
export const managementFunctions: Record<string, ModelFunction> = {
  'namespace-update-price': manage('update-price-manager', [...namespaceOnly, ...priceArgs], (known, args) =>
    known.priceFixed ? 102 : { ...known, price: priceIn(args, 1) },
  ),
  'namespace-freeze-price': manage('freeze-price-manager', namespaceOnly, known => ({ ...known, priceFixed: true })),
  'freeze-manager': manage('freeze-manager', namespaceOnly, known => ({ ...known, managerFrozen: true })),
  'turn-off-manager-transfers': manage('turn-off-manager-transfers', namespaceOnly, known => ({
    ...known,
    managerTransferable: false,
  })),
  'name-import': {
    access: 'public',
    args: [...nameArgs, ['beneficiary', 'principal']],
    returns: response,
    run(context, args) {
      const namespace = namespaceOf(context, labelText(bytesArg(args, 0)));
      const [fqn, to] = [fqnOf(args), principalArg(args, 2)];
      if (!namespace) return fail(113);
      if (namespace.importer !== context.sender) return fail(114);
      if (namespace.launchedAt !== undefined) return fail(115);
      if (!isName(labelText(bytesArg(args, 1)))) return fail(110);
      if (nameByText(context, fqn)) return fail(118);
      const id = Number(uintVariable(context, 'bns-index')) + 1;
      const { events } = bnsV2Effects({ name: 'name-import', fqn, id, to }, context.sender, context.mainnet);
      return {
        result: ok(bool(true)),
        events,
        writes: [
          { key: variableKey(context.contract, 'bns-index'), value: uint(id) },
          ...nameWrites(context, { fqn, id, owner: to, renewal: 0, since: context.burnHeight, imported: true }),
          ...primaryWrites(context, id, undefined, to),
        ],
      };
    },
  },
  'buy-in-ustx': {
    access: 'public',
    args: [
      ['id', 'uint128'],
      ['comm-trait', 'trait_reference'],
    ],
    returns: response,
    run: (context, args) => buy(context, Number(uintArg(args, 0))),
  },
  'claim-preorder': {
    access: 'public',
    args: [['hashed-salted-fqn', buff(20)]],
    returns: response,
    run(context, args) {
      const paid = preorderOf(context, 'name-preorders', bytesArg(args, 0));
      if (!paid) return fail(109);
      if (context.burnHeight <= paid.at + claimable) return fail(102);
      const { contract, sender } = context;
      const returned = { kind: 'stx_transfer', sender: contract, recipient: sender, amount: paid.burnt } as const;
      return {
        result: ok(bool(true)),
        events: [{ ...returned, memo: new Uint8Array(0) }],
        writes: [{ key: paid.key, value: undefined }],
      };
    },
  },
};

/** Buys a listed name; the STX go to its owner, without a commission. */
function buy(context: CallContext, id: number): Outcome {
  const { sender, state, contract, mainnet } = context;
  const known = nameById(context, id);
  if (!known) return fail(106);
  if (known.price === undefined) return fail(103);
  if (known.owner === sender) return fail(102);
  if (state.spendable(sender) < known.price) return fail(1);
  const namespace = namespaceOf(context, known.fqn.split('.')[1]!)!;
  const { price, owner, ...unlisted } = known;
  const renewal = known.renewal || endOf(known, namespace);
  const moved = bnsV2Effects({ name: 'transfer', fqn: known.fqn, id, to: sender, renewal }, owner, mainnet);
  const printed = tuple({ a: stringAscii('buy-in-ustx'), id: uint(id) });
  return {
    result: ok(bool(true)),
    events: [
      { kind: 'stx_transfer', sender, recipient: owner, amount: price, memo: new Uint8Array(0) },
      ...moved.events,
      { kind: 'print', contract, value: encodeClarity(printed) },
    ],
    writes: [...nameWrites(context, { ...unlisted, owner: sender }), ...primaryWrites(context, id, owner, sender)],
  };
}
