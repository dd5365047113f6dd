import { tryParseClarity } from '../../clarity/parse.ts';
import type { ClarityTree } from '../../clarity/value.ts';
import { formatCount } from '../../format/number.ts';
import { Principal } from './principal.tsx';
import { Untrusted } from './untrusted.tsx';

/** Beyond this length a value is not parsed: it is shown as text. */
const MAX_PARSED = 100_000;

/** A Clarity value, foldable; a text that cannot be read as a value is shown as it is. */
export function ClarityValueView({ repr, open = true }: { repr: string; open?: boolean }) {
  const tree = repr.length <= MAX_PARSED ? tryParseClarity(repr) : undefined;
  return tree ? <TreeView of={tree} open={open} /> : <Untrusted text={repr} />;
}

export function TreeView({ of: tree, open = true }: { of: ClarityTree; open?: boolean }) {
  switch (tree.kind) {
    case 'some':
    case 'ok':
    case 'err':
      return (
        <span class="clarity">
          <span class={tree.kind === 'err' ? 'keyword bad' : 'keyword'}>{tree.kind}</span>{' '}
          <TreeView of={tree.value} open={open} />
        </span>
      );
    case 'list':
      if (tree.items.length === 0) return <span class="clarity soft">empty list</span>;
      return (
        <details class="clarity" open={open}>
          <summary>list of {formatCount(tree.items.length)}</summary>
          <ol start={0}>
            {tree.items.map((item, index) => (
              <li key={index}>
                <TreeView of={item} open={tree.items.length <= 5} />
              </li>
            ))}
          </ol>
        </details>
      );
    case 'tuple':
      return (
        <details class="clarity" open={open}>
          <summary>
            tuple of <Untrusted text={tree.fields.map(({ name }) => name).join(', ')} max={80} />
          </summary>
          <dl>
            {tree.fields.map(({ name, value }) => (
              <div key={name}>
                <dt>
                  <Untrusted text={name} />
                </dt>
                <dd>
                  <TreeView of={value} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      );
    case 'principal':
      return <Principal of={tree.text} />;
    case 'ascii':
    case 'utf8':
      return (
        <span class="clarity string">
          “<Untrusted text={tree.text} />”
        </span>
      );
    case 'int':
    case 'uint':
      return (
        <span class="clarity numeric" title={tree.kind}>
          {formatCount(BigInt(tree.text))}
        </span>
      );
    case 'buffer':
      return (
        <span class="clarity buffer">
          <Untrusted text={tree.text} max={400} />
        </span>
      );
    default:
      return <span class="clarity keyword">{tree.text}</span>;
  }
}
