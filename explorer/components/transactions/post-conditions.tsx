import type { PostCondition } from '../../api/schema.ts';
import { assetName } from '../../format/shorten.ts';
import { itemText } from '../../tokens/item.ts';
import { modeWords, postConditionWords } from '../../words/post-condition.ts';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** What the sender allowed to move, in words. */
export function PostConditions({ mode, of }: { mode: string; of: readonly PostCondition[] }) {
  return (
    <>
      {of.length > 0 && (
        <ul class="movements">
          {of.map((condition, index) => (
            <li key={index}>
              <Sentence of={condition} />
            </li>
          ))}
        </ul>
      )}
      <p class={of.length > 0 ? 'soft' : ''}>{modeWords(mode, of.length > 0)}</p>
    </>
  );
}

function Sentence({ of }: { of: PostCondition }) {
  const { principal, verb, stx, token, item } = postConditionWords(of);
  return (
    <>
      {principal === undefined ? 'The sender' : <Principal of={principal} />} {verb}{' '}
      {stx !== undefined && <Stx micro={stx} />}
      {token && <TokenAmount units={token.amount} asset={token.asset} />}
      {item && (
        <a href={`/token/${encodeURIComponent(item.asset)}`} title={item.asset}>
          <Untrusted text={assetName(item.asset)} /> <Untrusted text={itemText(item.repr)} max={100} />
        </a>
      )}
    </>
  );
}
