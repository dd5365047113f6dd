import { useState } from 'preact/hooks';
import { useApi } from '../../api/loaded.ts';
import type { PrincipalStxBalance } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/number.ts';
import { assetName } from '../../format/shorten.ts';
import { chainRevision, seenBlocks } from '../../live/feed.ts';
import { currentUrl, setQuery } from '../../router.ts';
import { withLockedSbtc } from '../../tokens/locked-sbtc.ts';
import { Facts } from '../facts.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { Section } from '../section.tsx';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { BurnBlockLink } from '../values/links.tsx';
import { BalanceChart } from './balance-chart.tsx';

/** The balance now, or at any height by the slider or the chart. The height is part of the address of the page. */
export function AccountBalance({ principal, now }: { principal: string; now: PrincipalStxBalance }) {
  const tip = seenBlocks.value.find(block => block.canonical)?.height;
  const { query } = currentUrl.value;
  const chosen = Number(query.get('at') ?? Number.NaN);
  const past = Number.isInteger(chosen) && chosen > 0 && tip !== undefined && chosen < tip ? chosen : undefined;
  const [moving, setMoving] = useState<number | undefined>();
  const choose = (height: number) => setQuery({ at: tip === undefined || height >= tip ? undefined : String(height) });
  const asset = query.get('asset') ?? 'stx';
  return (
    <Section title="Balance" aside={<AssetChoice principal={principal} asset={asset} />}>
      {past === undefined ? <BalanceNow balance={now} /> : <BalanceThen principal={principal} height={past} />}
      <BalanceChart principal={principal} asset={asset} marked={moving ?? past} onPick={choose} />
      {tip !== undefined && tip > 1 && (
        <label class="slider">
          <span>
            {moving === undefined && past === undefined
              ? 'Now. Move to look back.'
              : `At block ${formatCount(moving ?? past ?? tip)}`}
          </span>
          <input
            type="range"
            min={1}
            max={tip}
            value={moving ?? past ?? tip}
            onInput={event => setMoving(Number(event.currentTarget.value))}
            onChange={event => {
              setMoving(undefined);
              choose(Number(event.currentTarget.value));
            }}
          />
        </label>
      )}
      {past !== undefined && (
        <button type="button" onClick={() => setQuery({ at: undefined })}>
          Back to now
        </button>
      )}
    </Section>
  );
}

/** Chooses what the chart is about: STX or a token that the account holds. */
function AssetChoice({ principal, asset }: { principal: string; asset: string }) {
  const held = useApi('/extended/v3/principals/{principal}/balances/ft', { principal, limit: 50 }, chainRevision);
  const tokens = held.state === 'ready' ? held.data.results.map(each => each.asset_identifier) : [];
  const others = asset === 'stx' || tokens.includes(asset) ? tokens : [asset, ...tokens];
  if (others.length === 0) return null;
  return (
    <label>
      Chart of{' '}
      <select
        value={asset}
        onChange={({ currentTarget: { value } }) => setQuery({ asset: value === 'stx' ? undefined : value })}
      >
        <option value="stx">STX</option>
        {others.map(each => (
          <option key={each} value={each}>
            {assetName(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function BalanceNow({ balance: { balance, available, locked, mempool } }: { balance: PrincipalStxBalance }) {
  return (
    <>
      <p class="figure">
        <b>
          <Stx micro={balance} />
        </b>
      </p>
      <Facts
        of={[
          ['Available', <Stx key="available" micro={available} />],
          locked !== null && [
            'Locked by stacking',
            <span key="locked">
              <Stx micro={locked.amount} /> until Bitcoin block <BurnBlockLink height={locked.burn_unlock_height} />
            </span>,
          ],
          mempool !== null && mempool.inbound !== '0' && ['Arriving', <Stx key="in" micro={mempool.inbound} />],
          mempool !== null && mempool.outbound !== '0' && ['Leaving', <Stx key="out" micro={mempool.outbound} />],
        ]}
      />
    </>
  );
}

function BalanceThen({ principal, height }: { principal: string; height: number }) {
  const then = useApi('/extended/v1/address/{principal}/balances', { principal, until_block: String(height) });
  return (
    <LoadedView of={then}>
      {({ stx, fungible_tokens, non_fungible_tokens }) => {
        const held = Object.entries(fungible_tokens).filter(([, { balance }]) => balance !== '0');
        const tokens = withLockedSbtc(held.map(([asset, { balance }]) => ({ asset, balance })));
        const items = Object.values(non_fungible_tokens).reduce((sum, { count }) => sum + Number(count), 0);
        return (
          <>
            <p class="figure">
              <b>
                <Stx micro={stx.balance} />
              </b>{' '}
              <span class="soft">at block {formatCount(height)}</span>
            </p>
            <Facts
              of={[
                ['Received by then', <Stx key="in" micro={stx.total_received} />],
                ['Sent by then', <Stx key="out" micro={stx.total_sent} />],
                ['Fees paid by then', <Stx key="fees" micro={stx.total_fees_sent} />],
                stx.locked !== '0' && ['Locked by stacking', <Stx key="locked" micro={stx.locked} />],
                tokens.length > 0 && [
                  'Tokens then',
                  <span class="stack" key="tokens">
                    {tokens.slice(0, 20).map(({ asset, balance, locked = '0' }) => (
                      <TokenAmount key={asset} units={String(BigInt(balance) + BigInt(locked))} asset={asset} />
                    ))}
                  </span>,
                ],
                items > 0 && ['Collectibles then', counted(items, 'item')],
              ]}
            />
          </>
        );
      }}
    </LoadedView>
  );
}
