import { isPrincipal, principalToBytes } from '../codec/principal.ts';
import type { AssetName } from '../queries/nfts.ts';

/** The parts of `S….contract::asset`; undefined unless the first is a principal. An account alone has no assets. */
export function assetOf(text: string): AssetName | undefined {
  const [contract = '', ...name] = text.split('::');
  return isPrincipal(contract) ? { contract: principalToBytes(contract), name: name.join('::') } : undefined;
}
