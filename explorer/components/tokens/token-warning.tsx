import { assetName } from '../../format/shorten.ts';
import { pretends } from '../../tokens/symbol.ts';
import type { TokenFacts } from '../../tokens/token-facts.ts';
import { Notice } from '../message.tsx';

/** A mark on a token that could be taken for another one. */
export function TokenWarning({ asset, facts }: { asset: string; facts: TokenFacts }) {
  const texts = [facts.name ?? '', facts.symbol ?? '', assetName(asset)];
  if (!texts.some(pretends)) return null;
  return (
    <Notice kind="warn">
      <p>
        <b>This token pretends to be another one.</b> Its name or symbol could be taken for STX or for a symbol in other
        letters. Anybody can give a token any name: only its identifier tells which one it is.
      </p>
    </Notice>
  );
}
