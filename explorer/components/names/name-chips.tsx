import { Untrusted } from '../values/untrusted.tsx';

/** Names as links to their pages. */
export const NameChips = ({ of }: { of: readonly string[] }) => (
  <ul class="chips">
    {of.map(name => (
      <li key={name}>
        <a href={`/name/${encodeURIComponent(name)}`}>
          <Untrusted text={name} />
        </a>
      </li>
    ))}
  </ul>
);
