import { useState } from 'preact/hooks';
import { useApi } from '../../api/loaded.ts';
import type { PrincipalStxBalance } from '../../api/schema.ts';
import { formatCount } from '../../format/number.ts';
import { seenBlocks } from '../../live/feed.ts';
import { address, setQuery } from '../../router.ts';
import { Facts } from '../facts.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { Section } from '../section.tsx';
import { Stx } from '../values/amount.tsx';
import { BurnBlockLink } from '../values/links.tsx';

/** STX now, or at any height by the slider. The height is part of the address of the page. */
export function AccountBalance({ principal, now }: { principal: string; now: PrincipalStxBalance }) {
  const tip = seenBlocks.value.find(block => block.canonical)?.height;
  const chosen = Number(address.value.query.get('at') ?? Number.NaN);
  const past = Number.isInteger(chosen) && chosen > 0 && tip !== undefined && chosen < tip ? chosen : undefined;
  const [draft, setDraft] = useState<number | undefined>();
  return (
    <Section title="Balance">
      {past === undefined ? <BalanceNow balance={now} /> : <BalanceThen principal={principal} height={past} />}
      {tip !== undefined && tip > 1 && (
        <label class="slider">
          <span>
            {draft === undefined && past === undefined
              ? 'Now. Move to look back.'
              : `At block ${formatCount(draft ?? past ?? tip)}`}
          </span>
          <input
            type="range"
            min={1}
            max={tip}
            value={draft ?? past ?? tip}
            onInput={event => setDraft(Number(event.currentTarget.value))}
            onChange={event => {
              const height = Number(event.currentTarget.value);
              setDraft(undefined);
              setQuery({ at: height >= tip ? undefined : String(height) });
            }}
          />
        </label>
      )}
    </Section>
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
      {({ stx }) => (
        <>
          <p class="figure">
            <b>
              <Stx micro={stx.balance} />
            </b>
          </p>
          <Facts
            of={[
              ['Received by then', <Stx key="in" micro={stx.total_received} />],
              ['Sent by then', <Stx key="out" micro={stx.total_sent} />],
              ['Fees paid by then', <Stx key="fees" micro={stx.total_fees_sent} />],
              stx.locked !== '0' && ['Locked by stacking', <Stx key="locked" micro={stx.locked} />],
            ]}
          />
        </>
      )}
    </LoadedView>
  );
}
