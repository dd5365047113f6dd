import { PublicError } from '../../errors.ts';
import type { RouteContext } from '../route-context.ts';
import type { CycleClock } from './staker-history-view.ts';

/** The cycles of the network and the height of the Bitcoin chain; a 503 while no node has reported the cycles. */
export async function cycleClock({ poxGeometry, tip }: Pick<RouteContext, 'poxGeometry' | 'tip'>): Promise<CycleClock> {
  const geometry = await poxGeometry();
  if (!geometry) throw new PublicError(503, 'No node has reported the start of the cycles yet. Try again later');
  return { geometry, burnTip: tip.current?.burnHeight ?? 0 };
}
