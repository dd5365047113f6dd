import { assetContract, assetName, shortenPrincipal } from '../format/shorten.ts';
import { imitatesLatin } from '../format/visible-text.ts';

/**
 * Anybody may call a token STX, or spell a known symbol in letters that look alike: the name of the asset is shown then. If
 * that pretends as well, its contract is shown with it.
 */
export function safeSymbol(symbol: string | undefined, asset: string): string {
  if (symbol !== undefined && isHonest(symbol)) return symbol;
  const name = assetName(asset);
  return isHonest(name) ? name : `${name} of ${shortenPrincipal(assetContract(asset))}`;
}

/** Whether a text could be taken for the native coin, or is written in letters that imitate others. */
export const pretends = (text: string): boolean => text !== '' && !isHonest(text);

const isHonest = (symbol: string) =>
  symbol !== '' && !/^\W*stx\W*$/i.test(symbol.normalize('NFKC')) && !imitatesLatin(symbol);
