import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { NakamotoBlock } from './block-schema.ts';
import type { BlockPage } from './blocks-queries.ts';

const nullableHash = Type.Union([Type.String(), Type.Null()]);

export const NakamotoBlockPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped from the cursor.' }),
    total: Type.Integer({ description: 'Number of results of all pages.' }),
    next_cursor: nullableHash,
    prev_cursor: nullableHash,
    cursor: nullableHash,
    results: Type.Array(NakamotoBlock),
  },
  {
    title: 'NakamotoBlockPage',
    description: '`next_cursor` is the newer page, `prev_cursor` the older one; each is null if there is no such page.',
  },
);

/** The fields of a page in addition to its blocks. */
export const renderBlockPage = (
  page: BlockPage,
): Omit<Static<typeof NakamotoBlockPage>, 'limit' | 'offset' | 'results'> => ({
  total: page.total,
  next_cursor: page.newer ? toHex(page.newer) : null,
  prev_cursor: page.older ? toHex(page.older) : null,
  cursor: page.rows[0] ? toHex(page.rows[0].index_hash) : null,
});
