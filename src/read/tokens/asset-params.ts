import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { Type } from 'typebox';
import { contractShape } from '../principals/principal-pattern.ts';
import type { AssetName } from './nfts-queries.ts';

/** The name of an asset in its contract. */
export const assetNameShape = '[a-zA-Z]([a-zA-Z0-9]|[-_!?+<>=/*]){0,127}';

/** `S….contract::asset` in a path, by its shape. */
export const AssetIdentifierParam = Type.String({
  pattern: `^${contractShape}::${assetNameShape}$`,
  description: 'An asset identifier: `CONTRACT_ID::ASSET_NAME`.',
});

/** The parts of `S….contract::asset`; undefined unless the first is a principal. An account alone has no assets. */
export function assetOf(text: string): AssetName | undefined {
  const [contract = '', ...name] = text.split('::');
  return isPrincipal(contract) ? { contract: principalToBytes(contract), name: name.join('::') } : undefined;
}
