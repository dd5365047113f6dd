import { useApi } from '../../api/loaded.ts';
import type { BalanceChange, PrincipalTransaction } from '../../api/schema.ts';
import { assetName } from '../../format/shorten.ts';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { Untrusted } from '../values/untrusted.tsx';

const toneOf = (net: string) => (net.startsWith('-') ? 'loss' : 'gain');

/** What an account gained and lost by a transaction: STX, tokens and collectibles. */
export function Gain({ principal, of }: { principal: string; of: PrincipalTransaction }) {
  const { net } = of.balance_changes.stx;
  const others = of.affected_balances.ft || of.affected_balances.nft;
  return (
    <span class="stack">
      {net !== '0' && (
        <span class={toneOf(net)}>
          <Stx micro={net} signed />
        </span>
      )}
      {others && <TokenGains principal={principal} id={of.transaction.tx_id} />}
      {net === '0' && !others && <span class="soft">–</span>}
    </span>
  );
}

function TokenGains({ principal, id }: { principal: string; id: string }) {
  const changes = useApi('/extended/v3/principals/{principal}/transactions/{tx_id}/balance-changes', {
    principal,
    tx_id: id,
  });
  if (changes.state !== 'ready') return <span class="soft">tokens</span>;
  const tokens = changes.data.results.filter(
    ({ asset, balance_change }) => asset.type !== 'stx' && balance_change.net !== '0',
  );
  return (
    <>
      {tokens.map(change => (
        <TokenGain key={JSON.stringify(change.asset)} of={change} />
      ))}
      {tokens.length === 0 && <span class="soft">–</span>}
    </>
  );
}

function TokenGain({ of: { asset, balance_change } }: { of: BalanceChange }) {
  const { net } = balance_change;
  if (asset.type === 'stx') return null;
  return (
    <span class={toneOf(net)}>
      {asset.type === 'ft' ? (
        <TokenAmount units={net} asset={asset.identifier} signed />
      ) : (
        <>
          {net.startsWith('-') ? net.replace('-', '−') : `+${net}`}{' '}
          <a href={`/token/${encodeURIComponent(asset.identifier)}`} title={asset.identifier}>
            <Untrusted text={assetName(asset.identifier)} />
          </a>
        </>
      )}
    </span>
  );
}
