import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Handles one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type Pipeline = { open: number; waiting: { request: IncomingMessage; response: ServerResponse }[] };

/** Requests of one connection that are handled at once; responses are sent in order anyway. */
const MAX_OPEN = 4;

/**
 * Handles what a client sends ahead on one connection a few requests at a time. The rest of what was read waits, and no more is
 * read meanwhile, so that thousands of requests in one connection take turns with those of others.
 */
export function boundPipelines(handler: Handler, maxOpen = MAX_OPEN): Handler {
  const pipelines = new WeakMap<Socket, Pipeline>();

  const handle = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse) => {
    pipeline.open++;
    response.once('close', () => {
      pipeline.open--;
      // In a later turn of the event loop: small responses end within this one.
      if (pipeline.waiting.length > 0) setImmediate(handleNext, pipeline, request.socket);
    });
    handler(request, response);
  };

  const handleNext = (pipeline: Pipeline, socket: Socket) => {
    if (socket.destroyed || socket.writableEnded) pipeline.waiting.length = 0;
    if (pipeline.open >= maxOpen) return;
    const next = pipeline.waiting.shift();
    if (pipeline.waiting.length === 0) socket.resume();
    if (next) handle(pipeline, next.request, next.response);
  };

  return (request, response) => {
    const { socket } = request;
    let pipeline = pipelines.get(socket);
    if (!pipeline) {
      pipeline = { open: 0, waiting: [] };
      pipelines.set(socket, pipeline);
    }
    if (pipeline.open < maxOpen && pipeline.waiting.length === 0) return handle(pipeline, request, response);
    pipeline.waiting.push({ request, response });
    socket.pause();
  };
}
