import { assetName } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
import { itemText } from '../../tokens/item.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** The non-fungible tokens of an account. */
export function Collectibles({ principal }: { principal: string }) {
  return (
    <MoreList
      path="/extended/v3/principals/{principal}/balances/nft"
      parameters={{ principal, limit: 20 }}
      revision={chainRevision}
      next={nextByCursor}
      empty="This account holds no collectibles."
    >
      {positions => (
        <ul class="chips">
          {positions.map(({ asset_identifier, value }) => (
            <li key={asset_identifier + value.hex}>
              <a
                href={`/token/${encodeURIComponent(asset_identifier)}?item=${encodeURIComponent(value.hex)}`}
                title={asset_identifier}
              >
                <Untrusted text={assetName(asset_identifier)} /> <Untrusted text={itemText(value.repr)} max={90} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </MoreList>
  );
}
