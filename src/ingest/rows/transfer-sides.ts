import type { ResolvedTransaction } from './resolved-block.ts';

/** Keys of the lists of STX transfers; lists of fungible tokens have the key of their asset. */
const stxInbound = 0;
const stxOutbound = -1;

type Side = { principal: number; asset: number };
type Event = Pick<ResolvedTransaction['events'][number], 'source' | 'asset' | 'sender' | 'recipient'>;

/** The lists of transfers that contain an event: STX credits and debits separately, tokens once for each party. Pure. */
export function transferSides({ source, asset, sender, recipient }: Event): Side[] {
  const sides: Side[] = [];
  const { kind } = source;
  if (kind === 'stx_transfer' || kind === 'stx_mint' || kind === 'stx_burn') {
    if (recipient) sides.push({ principal: recipient, asset: stxInbound });
    if (sender) sides.push({ principal: sender, asset: stxOutbound });
  } else if (kind === 'ft_transfer' || kind === 'ft_mint' || kind === 'ft_burn') {
    if (sender) sides.push({ principal: sender, asset });
    if (recipient && recipient !== sender) sides.push({ principal: recipient, asset });
  }
  return sides;
}
