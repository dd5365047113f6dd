/** `0x12ab…89ef`: the beginning and the end of a long text, cut between characters. */
export function shorten(text: string, head = 8, tail = 6): string {
  const characters = [...text];
  if (characters.length <= head + tail + 1) return text;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}

/** A principal, its address shortened and its contract name whole. */
export function shortenPrincipal(principal: string): string {
  const dot = principal.indexOf('.');
  if (dot < 0) return shorten(principal, 6, 5);
  return `${shorten(principal.slice(0, dot), 5, 4)}${principal.slice(dot)}`;
}

/** The name of an asset identifier `ADDRESS.contract::name`. */
export const assetName = (asset: string): string => asset.slice(asset.indexOf('::') + 2);
export const assetContract = (asset: string): string => asset.split('::')[0]!;
