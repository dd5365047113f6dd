import { type Agent, type RequestOptions, request } from 'node:http';

/** The result of a request: a response, a broken connection, or nothing within the deadline. */
export type Outcome =
  | { kind: 'answer'; status: number; body: Buffer }
  | { kind: 'broken'; reason: string }
  | { kind: 'hung' };

export type TimedRequest = {
  port: number;
  path: string;
  agent: Agent;
  deadlineMs: number;
  /** Posted as JSON; a GET without it. */
  body?: Buffer;
};

/** Sends one request with a deadline. Never rejects. */
export function ask({ port, path, agent, deadlineMs, body }: TimedRequest): Promise<Outcome> {
  return new Promise(resolve => {
    const headers = body && { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const options: RequestOptions = { host: '127.0.0.1', port, path, agent, method: body ? 'POST' : 'GET' };
    const message = request({ ...options, ...(headers && { headers }) }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', error => done({ kind: 'broken', reason: error.message }));
      response.on('end', () => done({ kind: 'answer', status: response.statusCode!, body: Buffer.concat(chunks) }));
    });
    const timer = setTimeout(() => {
      done({ kind: 'hung' });
      message.destroy();
    }, deadlineMs);
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    message.on('error', error => done({ kind: 'broken', reason: error.message }));
    message.end(body);
  });
}
