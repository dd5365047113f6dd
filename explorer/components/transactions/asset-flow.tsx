import type { TransactionEvent } from '../../api/schema.ts';
import { BURN, type FlowEdge, layoutFlow, MINT } from '../../flow/layout.ts';
import { type Movement, movementsOf, netChanges, sumMovements } from '../../flow/transfers.ts';
import { formatStx, formatUnits } from '../../format/amount.ts';
import { assetName, shorten, shortenPrincipal } from '../../format/shorten.ts';
import { visibleParts } from '../../format/visible-text.ts';
import { symbolOf, type TokenFacts, useTokenFacts } from '../../tokens/token-facts.ts';
import { RowTable } from '../row-table.tsx';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { Principal, principalPage } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** Drawings with more arrows than this are not readable: the list below has them all. */
const MAX_DRAWN = 14;
const NODE_WIDTH = 160;
const NODE_HEIGHT = 30;
const LANE = 20;

/** What a transaction moved between principals, drawn and as a list. */
export function AssetFlow({ events }: { events: readonly TransactionEvent[] }) {
  const movements = sumMovements(movementsOf(events));
  if (movements.length === 0) return <p class="empty">No assets moved but the fee.</p>;
  return (
    <>
      {movements.length <= MAX_DRAWN && <FlowGraph movements={movements} />}
      <ul class="movements">
        {movements.map(movement => (
          <li key={JSON.stringify([movement.from, movement.to, movement.asset])}>
            <MovementText movement={movement} />
          </li>
        ))}
      </ul>
      <NetTable movements={movements} />
    </>
  );
}

function FlowGraph({ movements }: { movements: readonly Movement[] }) {
  const { nodes, edges, width, height } = layoutFlow(movements);
  return (
    <div class="scroll">
      <svg class="flow" width={width} height={height + 10} viewBox={`0 0 ${width} ${height + 10}`}>
        <title>Assets that moved; the list below says the same in words</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {edges.map(edge => (
          <FlowArrow key={`${edge.from.id}>${edge.to.id}${JSON.stringify(edge.movement.asset)}`} edge={edge} />
        ))}
        {nodes.map(({ id, x, y }) => {
          const known = id !== MINT && id !== BURN;
          const box = (
            <>
              <rect
                x={x}
                y={y - NODE_HEIGHT / 2}
                width={NODE_WIDTH}
                height={NODE_HEIGHT}
                rx="8"
                class={known ? 'node' : 'node special'}
              />
              <text x={x + NODE_WIDTH / 2} y={y + 4} text-anchor="middle">
                {plain(known ? shorten(shortenPrincipal(id), 16, 5) : id)}
              </text>
            </>
          );
          return known ? (
            <a key={id} href={principalPage(id)}>
              <title>{id}</title>
              {box}
            </a>
          ) : (
            <g key={id}>{box}</g>
          );
        })}
      </svg>
    </div>
  );
}

function FlowArrow({ edge: { from, to, lane, movement } }: { edge: FlowEdge }) {
  const { asset } = movement;
  const facts = useTokenFacts(asset !== 'stx' && 'ft' in asset ? asset.ft : undefined);
  const forward = to.x > from.x;
  const sameColumn = to.x === from.x;
  const startX = from.x + (forward || sameColumn ? NODE_WIDTH : 0);
  const endX = to.x + (forward ? 0 : NODE_WIDTH);
  const shift = (lane % 2 === 0 ? 1 : -1) * Math.ceil(lane / 2) * LANE;
  const bend = sameColumn ? startX + 60 : (startX + endX) / 2;
  const middleY = (from.y + to.y) / 2 + shift;
  return (
    <>
      <path
        class="arrow"
        d={`M${startX} ${from.y}C${bend} ${from.y + shift},${bend} ${to.y + shift},${endX} ${to.y}`}
        marker-end="url(#arrow)"
      />
      <text class="arrow-label" x={bend} y={middleY - 5} text-anchor="middle">
        {plain(shorten(movementLabel(movement, facts), 20, 4))}
      </text>
    </>
  );
}

/** Drawn text has no element to isolate its direction: hidden characters are replaced by their names. */
const plain = (text: string) =>
  visibleParts(text)
    .map(part => part.text)
    .join('');

function movementLabel({ asset, amount }: Movement, facts: TokenFacts): string {
  if (asset === 'stx') return formatStx(amount);
  if ('ft' in asset) return `${formatUnits(amount, facts.decimals ?? 0)} ${symbolOf(facts, asset.ft)}`;
  return `${assetName(asset.nft)} ${asset.repr}`;
}

function MovementText({ movement: { from, to, asset, amount } }: { movement: Movement }) {
  return (
    <>
      {from === undefined ? 'New: ' : <Principal of={from} />}
      {from !== undefined && (to === undefined ? ' burned ' : ' sent ')}
      <AssetAmount asset={asset} amount={amount} />
      {to !== undefined && (
        <>
          {' '}
          to <Principal of={to} />
        </>
      )}
    </>
  );
}

function AssetAmount({ asset, amount }: Pick<Movement, 'asset' | 'amount'>) {
  if (asset === 'stx') return <Stx micro={String(amount)} />;
  if ('ft' in asset) return <TokenAmount units={String(amount)} asset={asset.ft} />;
  return (
    <a href={`/token/${encodeURIComponent(asset.nft)}`} title={asset.nft}>
      <Untrusted text={assetName(asset.nft)} /> <Untrusted text={asset.repr} max={60} />
    </a>
  );
}

function NetTable({ movements }: { movements: readonly Movement[] }) {
  const nets = netChanges(movements);
  if (nets.length < 2) return null;
  return (
    <details>
      <summary>Who gained and lost what</summary>
      <RowTable
        of={nets}
        caption="Gains and losses, without the fee"
        keyOf={({ principal, asset }) => JSON.stringify([principal, asset])}
        columns={[
          { title: 'Who', cell: ({ principal }) => <Principal of={principal} /> },
          {
            title: 'Change',
            number: true,
            tone: ({ change }) => (change > 0n ? 'gain' : 'loss'),
            cell: ({ asset, change }) =>
              asset === 'stx' ? (
                <Stx micro={String(change)} signed />
              ) : (
                <TokenAmount units={String(change)} asset={asset.ft} />
              ),
          },
        ]}
      />
    </details>
  );
}
