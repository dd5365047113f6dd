import { parentPort } from 'node:worker_threads';
import { LeaseKeeper, type LeaseOrder } from './lease-keeper.ts';

if (!parentPort) throw new Error('the lease thread must be started by a fold');
parentPort.on('message', (order: LeaseOrder) => void new LeaseKeeper(order).run());
