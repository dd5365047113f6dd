import type { TransactionEvent } from '../../api/schema.ts';
import { fitText, shortAmount } from '../../flow/label.ts';
import {
  BURN,
  type FlowEdge,
  type FlowNode,
  LABEL_WIDTH,
  layoutFlow,
  MINT,
  NODE_WIDTH,
  pathOf,
} from '../../flow/layout.ts';
import { type Movement, movementsOf, netChanges, sumMovements } from '../../flow/transfers.ts';
import { formatUnits, STX_DECIMALS } from '../../format/amount.ts';
import { assetName, shortenPrincipal } from '../../format/shorten.ts';
import { visibleParts } from '../../format/visible-text.ts';
import { itemText } from '../../tokens/item.ts';
import { symbolOf, type TokenFacts, useTokenFacts } from '../../tokens/token-facts.ts';
import { RowTable } from '../row-table.tsx';
import { Stx, TokenAmount } from '../values/amount.tsx';
import { Principal, principalPage } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** Drawings with more arrows than this are not readable: the list below has them all. */
const MAX_DRAWN = 14;
const specials: Readonly<Record<string, string>> = { [MINT]: 'newly made', [BURN]: 'destroyed' };

/** What a transaction moved between principals, drawn and as a list. */
export function AssetFlow({ events }: { events: readonly TransactionEvent[] }) {
  const movements = sumMovements(movementsOf(events));
  if (movements.length === 0) return <p class="empty">No assets moved but the fee.</p>;
  return (
    <>
      {movements.length <= MAX_DRAWN && <FlowGraph movements={movements} />}
      <ul class="movements">
        {movements.map(movement => (
          <li key={keyOf(movement)}>
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
      <svg class="flow" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Assets that moved; the list below says the same in words</title>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {edges.map(edge => (
          <FlowArrow key={keyOf(edge.movement)} edge={edge} />
        ))}
        {nodes.map(node => (
          <FlowBox key={node.id} node={node} />
        ))}
      </svg>
    </div>
  );
}

const keyOf = ({ from, to, asset }: Movement) => JSON.stringify([from, to, asset]);

function FlowBox({ node: { id, x, y, height } }: { node: FlowNode }) {
  const known = id !== MINT && id !== BURN;
  const box = (
    <>
      <rect x={x} y={y} width={NODE_WIDTH} height={height} rx="8" class={known ? 'node' : 'node special'} />
      <text x={x + NODE_WIDTH / 2} y={y + height / 2 + 4} text-anchor="middle">
        {fitText(plain(known ? shortenPrincipal(id) : specials[id]!), NODE_WIDTH - 12)}
      </text>
    </>
  );
  if (!known) return <g>{box}</g>;
  return (
    <a href={principalPage(id)}>
      <title>{id}</title>
      {box}
    </a>
  );
}

function FlowArrow({ edge: { line, label, movement } }: { edge: FlowEdge }) {
  const { asset } = movement;
  const facts = useTokenFacts(asset !== 'stx' && 'ft' in asset ? asset.ft : undefined);
  const [short, whole] = movementLabels(movement, facts);
  return (
    <g>
      <title>{plain(whole)}</title>
      <path class="arrow" d={pathOf(line)} marker-end="url(#arrow)" />
      <text class="arrow-label" x={label[0]} y={label[1]}>
        {fitText(plain(short), LABEL_WIDTH - 16)}
      </text>
    </g>
  );
}

/** Drawn text has no element to isolate its direction: hidden characters are replaced by their names. */
const plain = (text: string) =>
  visibleParts(text)
    .map(part => part.text)
    .join('');

/** What an arrow says: a text that may be shortened, and the exact one. */
function movementLabels({ asset, amount }: Movement, facts: TokenFacts): [short: string, whole: string] {
  if (asset !== 'stx' && 'nft' in asset) {
    const text = `${assetName(asset.nft)} ${itemText(asset.repr)}`;
    return [text, text];
  }
  const units = asset === 'stx' ? formatUnits(amount, STX_DECIMALS) : formatUnits(amount, facts.decimals ?? 0);
  const symbol = asset === 'stx' ? 'STX' : symbolOf(facts, asset.ft);
  return [`${shortAmount(units)} ${symbol}`, `${units} ${symbol}`];
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
      <Untrusted text={assetName(asset.nft)} /> <Untrusted text={itemText(asset.repr)} max={60} />
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
