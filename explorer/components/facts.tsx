import type { ComponentChildren } from 'preact';

type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values; values that are undefined or false are left out. */
export function Facts({ of }: { of: readonly (Fact | false | undefined | null)[] }) {
  return (
    <dl class="facts">
      {of.map(fact => {
        if (!fact || fact[1] === undefined || fact[1] === null || fact[1] === false) return null;
        const [name, value] = fact;
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}
