import { tryParseClarity } from '@cairn-stacks/codec/clarity/parse';
import { principalText } from '@cairn-stacks/codec/clarity/to-json';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { toHex } from '@cairn-stacks/codec/hex';
import { formatCount } from '../../format/number.ts';
import { Principal } from './principal.tsx';
import { Untrusted } from './untrusted.tsx';

/** Beyond this length a value is not parsed: it is shown as text. */
const MAX_PARSED = 100_000;

/** A Clarity value, foldable; a text that cannot be read as a value is shown as it is. */
export function ClarityValueView({ repr, open = true }: { repr: string; open?: boolean }) {
  const value = repr.length <= MAX_PARSED ? tryParseClarity(repr) : undefined;
  return value ? <ClarityTree value={value} open={open} /> : <Untrusted text={repr} />;
}

/** A decoded value, its lists and tuples foldable. */
export function ClarityTree({ value, open = true }: { value: ClarityValue; open?: boolean }) {
  switch (value.type) {
    case 'some':
    case 'ok':
    case 'err':
      return (
        <span class="clarity">
          <span class={value.type === 'err' ? 'keyword bad' : 'keyword'}>{value.type}</span>{' '}
          <ClarityTree value={value.value} open={open} />
        </span>
      );
    case 'list':
      if (value.items.length === 0) return <span class="clarity soft">empty list</span>;
      return (
        <details class="clarity" open={open}>
          <summary>list of {formatCount(value.items.length)}</summary>
          <ol start={0}>
            {value.items.map((item, index) => (
              <li key={index}>
                <ClarityTree value={item} open={value.items.length <= 5} />
              </li>
            ))}
          </ol>
        </details>
      );
    case 'tuple':
      return (
        <details class="clarity" open={open}>
          <summary>
            tuple of <Untrusted text={value.entries.map(({ name }) => name).join(', ')} max={80} />
          </summary>
          <dl>
            {value.entries.map(({ name, value: each }) => (
              <div key={name}>
                <dt>
                  <Untrusted text={name} />
                </dt>
                <dd>
                  <ClarityTree value={each} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      );
    case 'principal':
      return <Principal of={principalText(value)} />;
    case 'string-ascii':
    case 'string-utf8':
      return (
        <span class="clarity string">
          “<Untrusted text={value.text} />”
        </span>
      );
    case 'int':
    case 'uint':
      return (
        <span class="clarity numeric" title={value.type}>
          {formatCount(value.value)}
        </span>
      );
    case 'buffer':
      return (
        <span class="clarity buffer">
          <Untrusted text={toHex(value.bytes)} max={400} />
        </span>
      );
    case 'bool':
      return <span class="clarity keyword">{String(value.value)}</span>;
    case 'none':
      return <span class="clarity keyword">none</span>;
  }
}
