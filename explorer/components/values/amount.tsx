import { exactStx, formatStx, formatUnits, unitsOf } from '../../format/amount.ts';
import { formatCount } from '../../format/number.ts';
import { symbolOf, useTokenFacts } from '../../tokens/token-facts.ts';
import { Untrusted } from './untrusted.tsx';

/** An amount of STX; the exact micro-STX are in its title. */
export function Stx({ micro, signed = false }: { micro: string | number; signed?: boolean }) {
  const units = unitsOf(micro);
  if (units === undefined) return <Untrusted text={String(micro)} />;
  return (
    <data class="amount" value={String(units)} title={exactStx(units)}>
      {signed && units > 0n ? '+' : ''}
      {formatStx(units)}
    </data>
  );
}

type TokenAmountProps = { units: string; asset: string; signed?: boolean };

/** An amount of a token, in its base units until its decimals are known; the exact base units are in its title. */
export function TokenAmount({ units, asset, signed = false }: TokenAmountProps) {
  const facts = useTokenFacts(asset);
  const value = unitsOf(units);
  return (
    <span class="amount" title={value === undefined ? units : `${formatCount(value)} base units`}>
      {signed && value !== undefined && value > 0n ? '+' : ''}
      {value === undefined ? units : formatUnits(value, facts.decimals ?? 0)}{' '}
      <a href={`/token/${encodeURIComponent(asset)}`} title={asset}>
        <Untrusted text={symbolOf(facts, asset)} max={40} />
      </a>
    </span>
  );
}
