import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type ServiceOptions = {
  /** The compiled program. */
  program: string;
  env: Record<string, string>;
  /** Arguments of Node.js itself. */
  nodeArguments?: readonly string[];
};

type Line = { level: number; msg?: string; api?: string; observer?: string; metrics?: string };

const maxLines = 300;

/** The service as an operator runs it, in a process of its own. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** The newest lines of its log. */
  readonly lines: string[] = [];
  #stopping = false;
  apiPort = 0;
  observerPort = 0;
  metricsPort = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit');
  }

  static async start({ program, env, nodeArguments = [] }: ServiceOptions): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...nodeArguments, program, 'start'], {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, NODE_ENV: 'production', ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new ServiceProcess(child);
    await service.#ready();
    return service;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** True if it has ended without a stop request. */
  get died(): boolean {
    return !this.#stopping && this.#child.exitCode !== null;
  }

  /** True if it does not run any more. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const hurry = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await this.#exited;
    clearTimeout(hurry);
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.#stopping = true;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Wakes it once a second or stops it: a machine that hangs. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const keep = (text: string) => {
        this.lines.push(text);
        if (this.lines.length > maxLines) this.lines.shift();
      };
      createInterface({ input: this.#child.stderr! }).on('line', keep);
      createInterface({ input: this.#child.stdout! }).on('line', text => {
        keep(text);
        const line = parse(text);
        if (!line?.metrics) return;
        this.apiPort = portOf(line.api);
        this.observerPort = portOf(line.observer);
        this.metricsPort = portOf(line.metrics);
        resolve();
      });
      this.#child.once('exit', code =>
        reject(new Error(`the service ended with code ${code} while starting:\n${this.lines.slice(-12).join('\n')}`)),
      );
    });
  }
}

const settings = {
  CAIRN_NETWORK: 'testnet',
  CAIRN_DEVNET: 'false',
  CAIRN_API_PORT: '0',
  CAIRN_OBSERVER_PORT: '0',
  CAIRN_METRICS_PORT: '0',
  CAIRN_LOG_FORMAT: 'json',
  // Almost nothing is cached: every response comes from the database.
  CAIRN_RESPONSE_CACHE_BYTES: '1024',
  CAIRN_ITEM_CACHE_BYTES: '1024',
};

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const portOf = (address: string | undefined) => Number(/:(\d+)(\/|$)/.exec(address ?? '')?.[1] ?? 0);
