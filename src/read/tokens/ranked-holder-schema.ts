import { Type } from 'typebox';
import { assetMetadata } from '../metadata/asset-schema.ts';
import { CursorList } from '../pages/cursor-list-schema.ts';
import { principalShape } from '../principals/principal-pattern.ts';
import type { PastHolder, PastHolderCursor } from './past-holders-queries.ts';
import type { HolderCursor, RankedHolder } from './ranked-holders-queries.ts';

const TokenHolder = Type.Object(
  {
    principal: Type.String({ description: 'Address or contract identifier of the holder.' }),
    balance: Type.String({ description: 'Balance in the smallest unit: micro-STX for STX, including locked STX.' }),
  },
  { title: 'TokenHolder' },
);
export const TokenHolderList = CursorList(TokenHolder, 'TokenHolderList');
export const FtHolderList = Type.Object({ ...TokenHolderList.properties, ...assetMetadata }, { title: 'FtHolderList' });

const NftHolder = Type.Object(
  {
    principal: Type.String({ description: 'Address or contract identifier of the holder.' }),
    balance: Type.String({ description: 'Number of NFTs.' }),
  },
  { title: 'NftHolder' },
);
export const NftHolderList = CursorList(NftHolder, 'NftHolderList');

export const renderRankedHolder = ({ principal, balance }: RankedHolder) => ({ principal, balance });

export const holderPattern = `^[0-9]{1,39}:${principalShape}$`;

/** `balance:principal`. */
export const holderCursor = ({ principal, balance }: RankedHolder): string => `${balance}:${principal}`;

export function readHolderCursor(text: string | undefined): HolderCursor | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  return { balance: BigInt(text.slice(0, colon)), principal: text.slice(colon + 1) };
}

/** Said by every list of holders that takes `at_block`. */
export const aboutPastHolders =
  'With `at_block` they come in the order in which they first held it, a page may have fewer results than `limit` and still a ' +
  '`cursor.next`, and there is no cursor back.';

/** `height:principal`, of a list of past holders. */
export const pastHolderCursor = ({ since, principal }: PastHolder): string => `${since}:${principal}`;

export function readPastHolderCursor(text: string | undefined): PastHolderCursor | undefined {
  const cursor = readHolderCursor(text);
  return (
    cursor && { since: Number(cursor.balance < maxHeight ? cursor.balance : maxHeight), principal: cursor.principal }
  );
}

const maxHeight = 2_147_483_647n;
