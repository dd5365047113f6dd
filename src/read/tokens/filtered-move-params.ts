import { eventFilterQuery, moveFilterQuery } from '../filters/filter-params.ts';
import { MOST_MOVES } from './filtered-moves-queries.ts';

export const ftMoveTypes = ['ft_transfer', 'ft_mint', 'ft_burn'] as const;
export const nftMoveTypes = ['nft_transfer', 'nft_mint', 'nft_burn'] as const;

/** Parameters that filter the moves of a fungible token. */
export const ftFilterQuery = {
  ...moveFilterQuery(ftMoveTypes),
  min_amount: eventFilterQuery([]).min_amount,
};

/** Parameters that filter the moves of NFTs. */
export const nftFilterQuery = moveFilterQuery(nftMoveTypes);

const { sender: _sender, event_type: _type, ...ofMints } = nftFilterQuery;
/** Parameters that filter mints: they have no sender. */
export const mintFilterQuery = ofMints;

/** Said by lists of moves by cursor. */
export const aboutFilteredMoves =
  `With a filter one request looks at up to ${MOST_MOVES} moves of the token, so that a page may have fewer results than \`limit\`, or ` +
  'none; the list has ended where `cursor.next` is null.';
