import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { read } from './client.ts';
import type { PrincipalLabel } from './schema.ts';

/** What a principal is called: by the operator of the server, or by its primary name. */
export type Called = Pick<PrincipalLabel, 'label' | 'name'>;

const MAX_CACHED = 2000;
/** As many as the server takes at once. */
const MAX_ASKED = 50;
/** A page draws its principals at nearly the same time: they are asked for together. */
const COLLECT_MS = 30;

const cached = new Map<string, Signal<Called | undefined>>();
const waiting = new Set<string>();

async function ask(principals: readonly string[]): Promise<void> {
  try {
    const { results } = await read('/extended/v1/labels', { principal: principals });
    for (const { principal, label, name } of results) {
      const called = cached.get(principal);
      if (called) called.value = { label, name };
    }
  } catch {
    // Addresses say enough; what is shown next is asked for again.
    for (const principal of principals) cached.delete(principal);
  }
}

function askForWaiting(): void {
  const all = [...waiting];
  waiting.clear();
  for (let at = 0; at < all.length; at += MAX_ASKED) void ask(all.slice(at, at + MAX_ASKED));
}

/** What a principal is called, asked for once while the page is open; undefined until it has arrived, and if nothing is known. */
function calledOf(principal: string): Signal<Called | undefined> {
  const known = cached.get(principal);
  if (known) return known;
  const called = signal<Called | undefined>(undefined);
  if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value!);
  cached.set(principal, called);
  if (waiting.size === 0) setTimeout(askForWaiting, COLLECT_MS);
  waiting.add(principal);
  return called;
}

export function useCalled(principal: string): Called | undefined {
  const [called, setCalled] = useState<Called | undefined>(undefined);
  useEffect(() => calledOf(principal).subscribe(setCalled), [principal]);
  return called;
}
