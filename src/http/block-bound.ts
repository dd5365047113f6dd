/** A response body that stays valid until a fork removes the block at this height; undefined where it may change before. */
export type BlockBound<T> = { body: T; height: number | undefined };
