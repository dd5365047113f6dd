import { Readable } from 'node:stream';
import { badRequest } from '../errors.ts';
import type { Visit } from './visit.ts';

/** The class of the requests that a batch makes in this process; those of clients are never of it. */
export class BatchItem extends Readable {}

/** Refuses in a batch what is not read from the index: streams, nodes, and the state of this process. */
export function checkBatchItem({ request, route }: Visit): void {
  if (!(request.raw instanceof BatchItem) || request.is404) return;
  if (!route.isCached && route.freshness !== 'content') {
    throw badRequest(
      `${route.name} does not come from the index alone and cannot be part of a batch: request it on its own`,
    );
  }
}
