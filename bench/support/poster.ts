import { Agent, request } from 'node:http';

/** Sends events as a node does: one connection, one event at a time, the next one after the acknowledgement. */
export class Poster {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  /** Milliseconds until each event was acknowledged. */
  readonly acks: number[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  post(path: string, body: Buffer): Promise<void> {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      const options = { host: '127.0.0.1', port: this.#port, method: 'POST', path, headers, agent: this.#agent };
      const message = request(options, response => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode !== 200) return reject(new Error(`${path} was answered ${response.statusCode}`));
          this.acks.push(performance.now() - started);
          resolve();
        });
      });
      message.on('error', reject);
      message.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
