import { readError } from './api-error.ts';
import { type Operations, requests } from './operations.ts';
import { type StreamOptions, stream } from './stream.ts';
import type { StreamEvent } from './stream-event.ts';

export type ClientOptions = {
  /** URL of the service, such as `http://localhost:3999`. */
  url: string;
  /** Sent as `x-api-key`. */
  apiKey?: string;
  /** In place of the `fetch` of the platform. */
  fetch?: typeof fetch;
};

export type OperationId = keyof Operations;
export type Parameters<Id extends OperationId> = Operations[Id]['parameters'];
export type Result<Id extends OperationId> = Operations[Id]['response'];

/** What `call` takes: nothing where an operation needs no parameters. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? [parameters?: Parameters<Id>, options?: CallOptions]
    : [parameters: Parameters<Id>, options?: CallOptions];

export type CallOptions = { signal?: AbortSignal };

/** A response, and the position of the stream from which nothing is missing in it. */
export type Answer<Id extends OperationId> = { value: Result<Id>; position: string | undefined };

/** A client of one service. */
export class Client {
  readonly url: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions | string) {
    this.#options = typeof options === 'string' ? { url: options } : options;
    this.url = this.#options.url.replace(/\/+$/, '');
  }

  /** Calls an operation of the API by its id; throws an `ApiError` if the service refuses it. */
  async call<Id extends OperationId>(id: Id, ...given: Arguments<Id>): Promise<Result<Id>> {
    return (await this.read(id, ...given)).value;
  }

  /** Calls an operation, and says from which position a stream goes on after its response. */
  async read<Id extends OperationId>(id: Id, ...[parameters, options]: Arguments<Id>): Promise<Answer<Id>> {
    const { method, url, body } = this.#requestOf(id, (parameters ?? {}) as Record<string, unknown>);
    const response = await this.fetch(url, {
      method,
      ...(options?.signal && { signal: options.signal }),
      ...(body !== undefined && bodyOf(body)),
    });
    if (!response.ok) throw await readError(response);
    const value = (await readValue(response)) as Result<Id>;
    return { value, position: response.headers.get('x-cairn-position') ?? undefined };
  }

  /** What follows a position or a height, or happens from now on: resumes by itself until the loop or the signal ends it. */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    return stream(this, options);
  }

  /** Sends a request with the key of this client. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { apiKey, fetch: send = fetch } = this.#options;
    const headers = new Headers(init.headers);
    if (apiKey !== undefined) headers.set('x-api-key', apiKey);
    return await send(url, { ...init, headers });
  }

  #requestOf(id: OperationId, parameters: Record<string, unknown>) {
    const [method = 'GET', path = '/', ...names] = requests[id].split(' ');
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
    const query = new URLSearchParams();
    for (const listed of names) {
      const name = listed.replace(/,$/, '');
      const value = parameters[name];
      if (value === undefined) continue;
      if (Array.isArray(value) && listed === name) for (const each of value) query.append(name, String(each));
      else query.append(name, String(value));
    }
    const text = query.toString();
    return { method, url: `${this.url}${filled}${text && `?${text}`}`, body: parameters.body };
  }
}

function bodyOf(body: unknown): RequestInit {
  if (body instanceof Uint8Array)
    return { body: body as Uint8Array<ArrayBuffer>, headers: { 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function readValue(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return await response.json();
  return type.startsWith('text/') ? await response.text() : new Uint8Array(await response.arrayBuffer());
}
