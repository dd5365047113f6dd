import type { Parameters } from '../api/client.ts';

/** What the list of pending transactions shows; the server filters by address and sorts, the page filters by type. */
export type MempoolFilter = { type: string; order: string; address: string; parameters: Parameters };

export const orders: Readonly<Record<string, { label: string; parameters: Parameters }>> = {
  newest: { label: 'newest first', parameters: { order_by: 'age', order: 'desc' } },
  oldest: { label: 'oldest first', parameters: { order_by: 'age', order: 'asc' } },
  fee: { label: 'highest fee first', parameters: { order_by: 'fee', order: 'desc' } },
  size: { label: 'largest first', parameters: { order_by: 'size', order: 'desc' } },
};

/** Whether the server accepts a text as an address. */
export const isAddressLike = (text: string): boolean =>
  /^[0-9A-HJKMNP-TV-Z]{28,41}(\.[a-zA-Z][\w-]{0,39})?$/.test(text);

/** The filter in the query of the page. */
export function readFilter(query: URLSearchParams): MempoolFilter {
  const order = query.get('order') ?? '';
  const address = query.get('address') ?? '';
  const known = order in orders ? order : 'newest';
  return {
    type: query.get('type') ?? '',
    order: known,
    address,
    parameters: { ...orders[known]!.parameters, ...(isAddressLike(address) && { address }) },
  };
}
