import { RecoveredKeys } from '../cache/recovered-keys.ts';
import { RenderedItemCache } from '../cache/rendered-items.ts';
import { InterfaceCache } from './contracts/interface-cache.ts';
import { ListPositionCache } from './pages/list-position-cache.ts';
import { NameListCache } from './search/name-list-cache.ts';
import type { Holding } from './tokens/holders-queries.ts';

/** The caches that views fill pages from; docs/caches.md describes each. */
export type ReadCaches = {
  /** Rendered list items. */
  items: RenderedItemCache;
  /** Parsed interfaces of contracts. */
  interfaces: InterfaceCache;
  /** Known rows of the lists of token holders. */
  holders: ListPositionCache<Holding>;
  /** Names of contracts and assets, for searches. */
  names: NameListCache;
  /** Keys that signed blocks. */
  recoveredKeys: RecoveredKeys;
};

/** `itemBytes` bounds the rendered list items. */
export const openReadCaches = ({ itemBytes }: { itemBytes: number }): ReadCaches => ({
  items: new RenderedItemCache(itemBytes),
  interfaces: new InterfaceCache(),
  holders: new ListPositionCache(),
  names: new NameListCache(),
  recoveredKeys: new RecoveredKeys(),
});
