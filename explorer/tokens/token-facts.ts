import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { read } from '../api/client.ts';
import type { AssetMetadata } from '../api/schema.ts';
import { safeSymbol } from './symbol.ts';

/** What is known of a fungible token; empty if its contract says nothing. */
export type TokenFacts = AssetMetadata;

const MAX_CACHED = 500;
const cached = new Map<string, Signal<TokenFacts>>();

/** Facts of a token, read once while the page is open. They are empty until they have arrived. */
function factsOf(asset: string): ReadonlySignal<TokenFacts> {
  const known = cached.get(asset);
  if (known) return known;
  const facts = signal<TokenFacts>({});
  if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value!);
  cached.set(asset, facts);
  read('/extended/v3/tokens/ft/{asset_identifier}/supply', { asset_identifier: asset, metadata: true }).then(
    ({ metadata }) => {
      if (metadata) facts.value = metadata;
      else cached.delete(asset); // its contract may not have been read yet
    },
    () => cached.delete(asset),
  );
  return facts;
}

/** Name, symbol and decimals of a fungible token; nothing while `asset` is undefined. */
export function useTokenFacts(asset: string | undefined): TokenFacts {
  const [facts, setFacts] = useState<TokenFacts>({});
  useEffect(() => (asset === undefined ? undefined : factsOf(asset).subscribe(setFacts)), [asset]);
  return facts;
}

/** What a token is called; see `safeSymbol`. */
export const symbolOf = ({ symbol }: TokenFacts, asset: string): string => safeSymbol(symbol, asset);
