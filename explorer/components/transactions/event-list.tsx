import type { TransactionEvent } from '../../api/schema.ts';
import { assetName } from '../../format/shorten.ts';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { ClarityValueView } from '../values/clarity-tree.tsx';
import { BurnBlockLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** Events in their order, each as a sentence. */
export function EventList({ of, total }: { of: readonly TransactionEvent[]; total?: number }) {
  return (
    <>
      <ol class="events">
        {of.map(event => (
          <li key={`${event.tx_id}${event.event_index}`}>
            <EventText event={event} />
          </li>
        ))}
      </ol>
      {total !== undefined && total > of.length && <p class="soft">The first {of.length} are shown.</p>}
    </>
  );
}

const verbs: Readonly<Record<string, string>> = { transfer: 'transferred', mint: 'minted', burn: 'burned' };

export function EventText({ event, open = true }: { event: TransactionEvent; open?: boolean }) {
  switch (event.event_type) {
    case 'smart_contract_log':
      return (
        <>
          <Principal of={event.contract_log.contract_id} /> printed{' '}
          <ClarityValueView repr={event.contract_log.value.repr} open={open} />
        </>
      );
    case 'stx_lock':
      return (
        <>
          <Principal of={event.stx_lock_event.locked_address} /> locked{' '}
          <Stx micro={event.stx_lock_event.locked_amount} /> until Bitcoin block{' '}
          <BurnBlockLink height={event.stx_lock_event.unlock_height} />
        </>
      );
    case 'stx_asset':
      return (
        <>
          <Stx micro={event.asset.amount} /> {verbs[event.asset.asset_event_type]} <Ends of={event.asset} />
        </>
      );
    case 'fungible_token_asset':
      return (
        <>
          <TokenAmount units={event.asset.amount} asset={event.asset.asset_id} /> {verbs[event.asset.asset_event_type]}{' '}
          <Ends of={event.asset} />
        </>
      );
    case 'non_fungible_token_asset':
      return (
        <>
          <a href={`/token/${encodeURIComponent(event.asset.asset_id)}`}>
            <Untrusted text={assetName(event.asset.asset_id)} />
          </a>{' '}
          <ClarityValueView repr={event.asset.value.repr} /> {verbs[event.asset.asset_event_type]}{' '}
          <Ends of={event.asset} />
        </>
      );
  }
}

function Ends({
  of: { asset_event_type, sender, recipient },
}: {
  of: { asset_event_type: string; sender: string; recipient: string };
}) {
  return (
    <>
      {asset_event_type !== 'mint' && sender !== '' && (
        <>
          from <Principal of={sender} />{' '}
        </>
      )}
      {asset_event_type !== 'burn' && recipient !== '' && (
        <>
          to <Principal of={recipient} />
        </>
      )}
    </>
  );
}
