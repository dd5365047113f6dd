import { type Static, Type } from 'typebox';
import { toHex } from '../../codec/hex.ts';
import type { BlockPage } from '../../queries/blocks/blocks.ts';
import { NakamotoBlock } from './block.ts';

const nullableHash = Type.Union([Type.String(), Type.Null()]);

export const NakamotoBlockPage = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    next_cursor: nullableHash,
    prev_cursor: nullableHash,
    cursor: nullableHash,
    results: Type.Array(NakamotoBlock),
  },
  { title: 'NakamotoBlockPage', description: '`next` is the newer page, `prev` the older one.' },
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
