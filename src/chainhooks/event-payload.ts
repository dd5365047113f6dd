import type { BlockPayload } from './block-payload.ts';
import type { Definition } from './definition-schema.ts';
import { renderEventBlock } from './event-block.ts';
import { matchesSome, scopeOf } from './filter.ts';

/** What is stored of a chainhook of version 2.0. */
export type StoredDefinition = { uuid: string; definition: Definition };

/** The payload of Chainhooks 2.0. */
export function eventPayload(id: number, { uuid, definition }: StoredDefinition): BlockPayload {
  const { name, chain, network, filters } = definition;
  const options = definition.options ?? {};
  const head = JSON.stringify({ chain, network }).slice(1);
  const chainhook = JSON.stringify({ uuid, name });
  return {
    id,
    scope: scopeOf(filters.events),
    matches: transaction => matchesSome(filters.events, transaction),
    renderBlock: (block, chosen) => JSON.stringify(renderEventBlock(block, chosen, options)),
    bodyOf: (apply, rollback) =>
      `{"event":{"apply":[${apply}],"rollback":[${rollback}],${head},"chainhook":${chainhook}}`,
  };
}
