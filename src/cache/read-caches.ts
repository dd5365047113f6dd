import type { Holding } from '../queries/tokens/holders.ts';
import { InterfaceCache } from './interfaces.ts';
import { ListPositionCache } from './list-positions.ts';
import { RecoveredKeys } from './recovered-keys.ts';
import { RenderedItemCache } from './rendered-items.ts';

/** The caches that views fill pages from; docs/caches.md describes each. */
export type ReadCaches = {
  /** Rendered list items. */
  items: RenderedItemCache;
  /** Parsed interfaces of contracts. */
  interfaces: InterfaceCache;
  /** Known rows of the lists of token holders. */
  holders: ListPositionCache<Holding>;
  /** Keys that signed blocks. */
  recoveredKeys: RecoveredKeys;
};

/** `itemBytes` bounds the rendered list items. */
export const openReadCaches = ({ itemBytes }: { itemBytes: number }): ReadCaches => ({
  items: new RenderedItemCache(itemBytes),
  interfaces: new InterfaceCache(),
  holders: new ListPositionCache(),
  recoveredKeys: new RecoveredKeys(),
});
