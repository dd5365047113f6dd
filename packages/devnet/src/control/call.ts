import { request } from 'node:http';

/** A command that the devnet refused, or that reached no devnet; the message says what to do. */
export class ControlError extends Error {
  override name = 'ControlError';
}

/** Sends a control request to a devnet. It waits as long as the command takes: `fetch` would give up after five minutes. */
export function callDevnet(url: string, method: 'GET' | 'POST' = 'POST'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent: false }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', reject).once('end', () => resolve({ status: response.statusCode!, text }));
    });
    call.once('error', reject).end();
  });
}
