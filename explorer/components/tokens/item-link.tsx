import type { ClarityValue } from '../../api/schema.ts';
import { itemText } from '../../tokens/item.ts';
import { Untrusted } from '../values/untrusted.tsx';

/** An item of a collection; its link shows it on the page of the collection. */
export const ItemLink = ({ asset, value }: { asset: string; value: ClarityValue }) => (
  <a href={`/token/${encodeURIComponent(asset)}?item=${encodeURIComponent(value.hex)}`}>
    <Untrusted text={itemText(value.repr)} max={100} />
  </a>
);
