import type { ComponentChildren } from 'preact';
import { useApi } from '../../api/loaded.ts';
import type { FoundTokenMetadata } from '../../api/schema.ts';
import { Picture } from './picture.tsx';

/** A token of a collection, with what its tile leads to and says. */
export type Tile = {
  contract: string;
  /** Undefined if the id of the token is no number: then it has no metadata. */
  number: bigint | undefined;
  href: string;
  title: ComponentChildren;
  /** Instead of a picture. */
  short: string;
  below: ComponentChildren;
};

/** As many tokens as metadata are asked for together. */
const TOGETHER = 25;

/** Tokens as pictures. */
export function Tiles({ of, label }: { of: readonly Tile[]; label: string }) {
  const parts = Array.from({ length: Math.ceil(of.length / TOGETHER) }, (_, index) =>
    of.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
  return (
    <ul class="tiles" aria-label={label}>
      {parts.map((part, index) => (
        <Part key={index} of={part} />
      ))}
    </ul>
  );
}

const tokenOf = ({ contract, number }: Tile) => `${contract}:${number}`;

function Part({ of }: { of: readonly Tile[] }) {
  const wanted = of.filter(({ number }) => number !== undefined).map(tokenOf);
  const found = useApi(
    wanted.length > 0 ? '/metadata/v1/search' : undefined,
    { contract: wanted },
    undefined,
    wanted[0],
  );
  const known = new Map<string, FoundTokenMetadata>();
  if (found.state === 'ready')
    for (const token of found.data) known.set(`${token.contract_id}:${token.token_number}`, token);
  return (
    <>
      {of.map(tile => (
        <li key={tile.href}>
          <a href={tile.href}>
            <Picture
              uri={known.get(tokenOf(tile))?.image_uri}
              name=""
              contract={tile.contract}
              number={tile.number ?? 0n}
              instead={tile.short}
            />
            {tile.title}
          </a>
          <span class="soft">{tile.below}</span>
        </li>
      ))}
    </>
  );
}
