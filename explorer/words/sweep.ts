import { counted } from '../format/number.ts';

/** How sure a Bitcoin transaction of the signers is. */
export function sweepText({
  confirmations,
  canonical,
}: {
  confirmations: number | null;
  canonical: boolean | null;
}): string {
  if (canonical === false) return 'orphaned by a fork of Bitcoin';
  return confirmations === null ? 'Bitcoin block unknown' : counted(confirmations, 'confirmation');
}
