import { formatCount } from '../../format/number.ts';
import { Hash } from './hash.tsx';

export const BlockLink = ({ height, hash }: { height: number; hash?: string }) => (
  <a href={`/block/${hash ?? height}`}>#{formatCount(height)}</a>
);

export const BurnBlockLink = ({ height }: { height: number }) => (
  <a href={`/burn-block/${height}`}>#{formatCount(height)}</a>
);

export const TenureLink = ({ tenure }: { tenure: number }) => <a href={`/tenure/${tenure}`}>{formatCount(tenure)}</a>;

export const TxLink = ({ id, copy = false }: { id: string; copy?: boolean }) => (
  <Hash value={id} href={`/tx/${id}`} copy={copy} />
);
