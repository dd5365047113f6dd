import { Type } from 'typebox';
import type { Cost } from '../../chain/transaction.ts';

/** What a transaction used, or may use, of each dimension. */
export const ExecutionCost = Type.Object(
  {
    read_count: Type.Integer({ description: 'Number of read operations.' }),
    read_length: Type.Integer({ description: 'Bytes read.' }),
    runtime: Type.Integer({ description: 'Runtime cost, in cost units.' }),
    write_count: Type.Integer({ description: 'Number of write operations.' }),
    write_length: Type.Integer({ description: 'Bytes written.' }),
  },
  { title: 'ExecutionCost' },
);

export const renderExecutionCost = ({ runtime, readCount, readLength, writeCount, writeLength }: Cost) => ({
  read_count: readCount,
  read_length: readLength,
  runtime: Number(runtime),
  write_count: writeCount,
  write_length: writeLength,
});
