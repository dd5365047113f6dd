import { effect, type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { chainRevision, historyRevision, reconnections } from '../live/feed.ts';
import { read } from './client.ts';
import type { PrincipalLabel } from './schema.ts';

/** What a principal is called: by the operator of the server, or by its primary name. */
export type Called = Pick<PrincipalLabel, 'label' | 'name'>;

type Entry = { called: Signal<Called | undefined>; users: number; isRead: boolean };

const MAX_CACHED = 2000;
/** As many as the server takes at once. */
const MAX_ASKED = 50;
/** A page draws its principals at nearly the same time: they are asked for together. */
const COLLECT_MS = 30;

const entries = new Map<string, Entry>();
const waiting = new Set<string>();

async function ask(principals: readonly string[]): Promise<void> {
  const found = await read('/extended/v1/labels', { principal: principals }).catch(() => undefined);
  // Addresses say enough meanwhile; it is asked for again.
  if (!found) return;
  const byPrincipal = new Map(found.results.map(({ principal, label, name }) => [principal, { label, name }]));
  for (const principal of principals) {
    const entry = entries.get(principal);
    if (!entry) continue;
    const { label, name } = byPrincipal.get(principal) ?? { label: null, name: null };
    entry.isRead = true;
    const before = entry.called.peek();
    if (before?.label !== label || before.name !== name) entry.called.value = { label, name };
  }
}

function askForWaiting(): void {
  const all = [...waiting];
  waiting.clear();
  for (let at = 0; at < all.length; at += MAX_ASKED) void ask(all.slice(at, at + MAX_ASKED));
}

function askSoon(principal: string): void {
  if (waiting.size === 0) setTimeout(askForWaiting, COLLECT_MS);
  waiting.add(principal);
}

function entryOf(principal: string): Entry {
  let entry = entries.get(principal);
  if (!entry) {
    entry = { called: signal(undefined), users: 0, isRead: false };
    if (entries.size >= MAX_CACHED) entries.delete(entries.keys().next().value!);
    entries.set(principal, entry);
  }
  if (!entry.isRead) askSoon(principal);
  return entry;
}

/** Names change with the chain: those that are shown are asked for again, some seconds after it has changed. */
let asked = '0 0';
effect(() => {
  void historyRevision.value;
  const state = `${reconnections.value} ${chainRevision.peek()}`;
  if (state === asked) return;
  asked = state;
  for (const [principal, { users }] of entries) if (users > 0) askSoon(principal);
});

/** What a principal is called; undefined until it has arrived, and if nothing is known. */
export function useCalled(principal: string): Called | undefined {
  const [called, setCalled] = useState<Called | undefined>(undefined);
  useEffect(() => {
    const entry = entryOf(principal);
    entry.users++;
    const end = entry.called.subscribe(setCalled);
    return () => {
      end();
      entry.users--;
    };
  }, [principal]);
  return called?.label === null && called.name === null ? undefined : called;
}
