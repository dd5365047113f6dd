import { isName } from '@cairn-stacks/codec/bns-name';
import { ok, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import {
  bytesArg,
  type CallContext,
  fail,
  type Outcome,
  uintArg,
  uintVariable,
  variableKey,
} from '../contract-model.ts';
import { bnsV2Effects } from './bns-v2-contract.ts';
import { type NameState, nameByText, nameWrites, primaryWrites } from './names-v2-state.ts';
import { claimable, type NamespaceState, preordered, preorderOf } from './namespace-model.ts';

/** Mints the next token for an unused name. */
export function claim(
  context: CallContext,
  fqn: string,
  to: string,
  namespace: NamespaceState,
  burnt: bigint,
  preorderedAt?: number,
): Outcome {
  const name = fqn.split('.')[0]!;
  if (!isName(name)) return fail(name === '' ? 120 : 110);
  if (nameByText(context, fqn)) return fail(118);
  const id = Number(uintVariable(context, 'bns-index')) + 1;
  const renewal = namespace.lifetime === 0 ? 0 : context.burnHeight + namespace.lifetime;
  const { events } = bnsV2Effects({ name: 'name-register', fqn, id, renewal }, to, context.mainnet);
  return {
    result: ok(uint(id)),
    events,
    writes: [
      { key: variableKey(context.contract, 'bns-index'), value: uint(id) },
      ...nameWrites(context, {
        ...{ fqn, id, owner: to, renewal, since: context.burnHeight, burnt },
        ...(preorderedAt !== undefined && { preorderedAt }),
      }),
      ...primaryWrites(context, id, undefined, to),
    ],
  };
}

/** The earlier preorder wins: it takes a name that another account has registered meanwhile. */
export function takeOver(
  context: CallContext,
  { price: _, ...known }: NameState,
  namespace: NamespaceState,
  paid: { at: number; burnt: bigint },
): Outcome {
  const { sender, burnHeight } = context;
  if (known.imported) return fail(128);
  if (known.owner === sender) return fail(118);
  if (paid.at >= (known.preorderedAt ?? known.since)) return fail(known.preorderedAt === undefined ? 125 : 126);
  const { id, fqn, owner: before } = known;
  const renewal = namespace.lifetime === 0 ? 0 : burnHeight + namespace.lifetime;
  const owned = { ...known, owner: sender, renewal, since: burnHeight, preorderedAt: paid.at, burnt: paid.burnt };
  const { events } = bnsV2Effects({ name: 'take-over', fqn, id, before, renewal }, sender, context.mainnet);
  return {
    result: ok(uint(id)),
    events,
    writes: [...nameWrites(context, owned), ...primaryWrites(context, id, before, sender)],
  };
}

/** Stores a preorder of a name or a namespace; its STX are held or burnt. */
export function preorder(context: CallContext, args: readonly ClarityValue[], map: string): Outcome {
  const { state, sender, burnHeight } = context;
  const [hash, amount] = [bytesArg(args, 0), uintArg(args, 1)];
  if (hash.length !== 20) return fail(107);
  const known = preorderOf(context, map, hash);
  if (known && burnHeight <= known.at + claimable) return fail(126);
  if (amount === 0n) return fail(108);
  if (state.spendable(sender) < amount) return { result: { type: 'err', value: uint(1) } };
  const outcome = preordered(context, map, hash, amount, burnHeight);
  if (map === 'namespace-preorders') return outcome;
  // The contract holds the STX of a name until it is registered.
  const held = { kind: 'stx_transfer', sender, recipient: context.contract, amount, memo: new Uint8Array(0) } as const;
  return { ...outcome, events: [held] };
}
