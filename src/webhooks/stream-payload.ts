import { badRequest } from '../errors.ts';
import { viewOf } from '../stream/stream-params.ts';
import { messageOf } from '../stream/view.ts';
import { bodyOf, testBodyOf } from './batch.ts';
import type { Selection } from './definition.ts';
import type { OpenPayload } from './payload.ts';
import { secretBytes, signedHeaders } from './signature.ts';

/** The payload with version 1: the messages of a stream, signed as Standard Webhooks say. */
export const openStreamPayload: OpenPayload = ({ payload, selection }) => {
  if (payload !== '1') throw badRequest(`this process does not send the payload ${payload}`);
  const view = viewOf(selection as Selection);
  return {
    needs: view.needs,
    principal: view.filter.principal,
    render: async steps => steps.map(step => messageOf(step, view)?.json),
    bodyOf,
    testBodyOf,
    headersOf: (secret, id, body) => signedHeaders(secretBytes(secret)!, id, body),
    sendsBlocks: view.topics.size > 1 || !view.topics.has('mempool'),
    namesRemoved: false,
  };
};
