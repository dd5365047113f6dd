import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';

const Height = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description }));
const Time = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: `${description}, in Unix seconds.` }));

/** Parameters that limit a list to a range of blocks. */
export const blockRangeQuery = {
  from_height: Height('Only what is in the block of this height or in a later one.'),
  to_height: Height('Only what is in the block of this height or in an earlier one.'),
  from_time: Time('Only what is in blocks whose burn block has this time or a later one'),
  to_time: Time('Only what is in blocks whose burn block has this time or an earlier one'),
};

const BlockRangeQuery = Type.Object(blockRangeQuery);

/** Blocks by height and by the time of their burn block, both ends included. */
export type BlockRange = {
  fromHeight?: number | undefined;
  toHeight?: number | undefined;
  fromTime?: number | undefined;
  toTime?: number | undefined;
};

/** The range of a request; 400 where no block can be in it. */
export function blockRangeOf(query: Static<typeof BlockRangeQuery>): BlockRange {
  const { from_height: fromHeight, to_height: toHeight, from_time: fromTime, to_time: toTime } = query;
  refuseEmpty('height', fromHeight, toHeight);
  refuseEmpty('time', fromTime, toTime);
  return { fromHeight, toHeight, fromTime, toTime };
}

function refuseEmpty(name: string, from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw badRequest(`from_${name} ${from} is above to_${name} ${to}: no block is in this range`);
  }
}
