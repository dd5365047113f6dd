import { exactStx, formatStx, formatUnits, unitsOf } from '../../format/amount.ts';
import { formatCount } from '../../format/number.ts';
import { assetName } from '../../format/shorten.ts';
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

/** An amount of a token, in its base units unless the decimals are known. */
export function TokenAmount({ units, asset, decimals = 0 }: { units: string; asset: string; decimals?: number }) {
  const value = unitsOf(units);
  return (
    <span class="amount" title={value === undefined ? units : `${formatCount(value)} base units`}>
      {value === undefined ? units : formatUnits(value, decimals)}{' '}
      <a href={`/token/${encodeURIComponent(asset)}`} title={asset}>
        <Untrusted text={assetName(asset)} />
      </a>
    </span>
  );
}
