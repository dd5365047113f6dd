import type { StreamApply, StreamMempool, StreamRollback } from './operations.ts';

/** One message of a stream. `apply` adds a block or a part of one, `rollback` removes all blocks above `to`. */
export type StreamEvent = StreamApply | StreamRollback | StreamMempool;
