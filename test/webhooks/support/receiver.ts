import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Ending = { onTestFinished(work: () => Promise<void>): void };

export type Message = {
  type: 'apply' | 'rollback' | 'mempool';
  position: string;
  block?: { height: number; index_block_hash: string };
  to?: { height: number; index_block_hash: string };
  transfers?: { amount: string }[];
};

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  type: string;
  messages: Message[];
  redelivery: boolean;
};

/** Responds to a request: with a status, or by itself. */
export type Answer = (request: Received, response: ServerResponse) => number | undefined;

/** A receiver of webhooks with everything that reached it. */
export async function startReceiver(t: Ending, answer: Answer = () => 204) {
  const requests: Received[] = [];
  const receiver = { answer };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { type, data } = JSON.parse(body);
    const { messages = [], redelivery = false } = data;
    const received = { path: request.url ?? '', headers: request.headers, body, type, messages, redelivery };
    requests.push(received);
    const status = receiver.answer(received, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return Object.assign(receiver, {
    requests,
    url: `http://127.0.0.1:${port}/hook`,
    port,
    messages: () => requests.flatMap(({ messages }) => messages),
    heights: () => requests.flatMap(({ messages }) => messages.map(({ block }) => block?.height)),
  });
}

/** The blocks of a receiver that applied these messages one after the other, by height. */
export function chainOf(messages: readonly Message[]): Record<number, string> {
  const chain = new Map<number, string>();
  for (const { type, block, to } of messages) {
    if (type === 'apply') chain.set(block!.height, block!.index_block_hash);
    if (type === 'rollback') for (const height of chain.keys()) if (height > to!.height) chain.delete(height);
  }
  return Object.fromEntries([...chain].sort(([a], [b]) => a - b));
}
