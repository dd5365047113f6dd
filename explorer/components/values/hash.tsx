import { shorten } from '../../format/shorten.ts';
import { CopyButton } from './copy-button.tsx';

type Props = { value: string; href?: string; whole?: boolean; copy?: boolean };

/** A hash, shortened for the eye. The whole value is in the markup, so that selecting and copying gives all of it. */
export function Hash({ value, href, whole = false, copy = false }: Props) {
  const text = whole ? <span class="whole">{value}</span> : <Shortened value={value} />;
  return (
    <span class={whole ? 'hash' : 'hash short'}>
      {href ? (
        <a href={href} title={value}>
          {text}
        </a>
      ) : (
        <span title={value}>{text}</span>
      )}
      {copy && <CopyButton text={value} label={`Copy ${shorten(value)}`} />}
    </span>
  );
}

/** The middle is invisible but part of the text. */
function Shortened({ value }: { value: string }) {
  const short = shorten(value);
  if (short === value) return <>{value}</>;
  const [head = '', tail = ''] = short.split('…');
  return (
    <>
      {head}
      <span class="middle">{value.slice(head.length, value.length - tail.length)}</span>
      {tail}
    </>
  );
}
