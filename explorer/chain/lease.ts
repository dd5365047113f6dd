import type { NameChange, NameDetails } from '../api/schema.ts';

export type MarkKind = 'registered' | 'renewed' | 'now' | 'ends' | 'renewable';
/** A moment of a lease: its height, and where it lies on the bar in percent. */
export type Mark = { kind: MarkKind; height: number; position: number };
/** A stretch of the bar in percent: the lease, the time in which it can still be renewed, or a lease without an end. */
export type Stretch = { kind: 'lease' | 'grace' | 'open'; from: number; to: number };
export type Lease = { marks: Mark[]; stretches: Stretch[] };

const beginnings: readonly string[] = ['name-register', 'name-import', 'name-airdrop', 'name-genesis'];

/** The changes by which the lease began and was last renewed. `history` is newest first. */
export function leaseChanges(history: readonly NameChange[]): { begun?: NameChange; renewed?: NameChange } {
  const at = history.findIndex(change => beginnings.includes(change.last_change));
  const begun = at < 0 ? history.at(-1) : history[at];
  const renewed = history.slice(0, at < 0 ? undefined : at).find(change => change.last_change === 'name-renewal');
  return { ...(begun && { begun }), ...(renewed && { renewed }) };
}

/** Heights that are not known are undefined. */
type Heights = { registered: number | undefined; renewed: number | undefined; now: number };

/** How much of the bar lies ahead of a lease without an end. */
const AHEAD = 0.3;

/**
 * The lease of a name on a bar. All heights are of the chain that the lease counts. Undefined if there is nothing to draw: the
 * name has no lease any more, or its end is not known.
 */
export function leaseOf({ expires, state }: NameDetails, { registered, renewed, now }: Heights): Lease | undefined {
  if (state === 'burnt' || state === 'revoked') return undefined;
  if (expires.height === null && !expires.never) return undefined;
  const ends = expires.never ? undefined : (expires.height ?? undefined);
  const renewable = ends === undefined ? undefined : (expires.grace_until ?? undefined);
  const from = Math.min(registered ?? now, renewed ?? now, now, ends ?? now);
  const known = Math.max(now, ends ?? now, renewable ?? now);
  const to = ends === undefined ? known + Math.max(1, (known - from) * AHEAD) : Math.max(known, from + 1);
  const position = (height: number) => ((height - from) / (to - from)) * 100;
  const heights: [MarkKind, number | undefined][] = [
    ['registered', registered],
    ['renewed', renewed],
    ['now', now],
    ['ends', ends],
    ['renewable', renewable],
  ];
  const marks = heights.flatMap(([kind, height]) =>
    height === undefined ? [] : [{ kind, height, position: position(height) }],
  );
  const begin = position(registered ?? from);
  const stretches: Stretch[] =
    ends === undefined
      ? [{ kind: 'open', from: begin, to: 100 }]
      : [
          { kind: 'lease', from: begin, to: position(ends) },
          ...(renewable === undefined
            ? []
            : [{ kind: 'grace' as const, from: position(ends), to: position(renewable) }]),
        ];
  return { marks: marks.toSorted((a, b) => a.height - b.height), stretches };
}
