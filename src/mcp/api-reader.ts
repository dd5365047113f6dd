/** Values of a query; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type ApiRequest = { method: 'GET' | 'POST'; url: string; body?: object; signal?: AbortSignal };
export type ApiResponse = { status: number; body: unknown };

/** Sends a request to the API: inside the process for `/mcp`, over HTTP for `cairn mcp`. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** The API did not give what a tool needs; the message is for the model. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Arguments that fit the schema of a tool and not each other. */
export class BadArguments extends Error {
  override name = 'BadArguments';
}

/** The API as tools read it. */
export type ApiReader = {
  /** The body of a 200. Parts of the path are encoded by the tagged values. */
  get<T>(path: string, query?: Query): Promise<T>;
  /** The body of a 200, or undefined where the API knows nothing. */
  find<T>(path: string, query?: Query): Promise<T | undefined>;
  post<T>(path: string, body: object): Promise<T>;
};

export function readerOf(send: Send, signal?: AbortSignal): ApiReader {
  const request = async <T>(method: 'GET' | 'POST', url: string, body?: object): Promise<T> => {
    const response = await send({ method, url, ...(body && { body }), ...(signal && { signal }) });
    if (response.status !== 200) throw new ApiFailure(response.status, messageOf(response));
    return response.body as T;
  };
  const get = <T>(path: string, query: Query = {}) => request<T>('GET', urlOf(path, query));
  return {
    get,
    async find<T>(path: string, query: Query = {}) {
      return await get<T>(path, query).catch(error => {
        if (error instanceof ApiFailure && error.status === 404) return undefined;
        throw error;
      });
    },
    post: (path, body) => request('POST', path, body),
  };
}

function urlOf(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** A path whose values are encoded, so that none of them can lead to another path. */
export const path = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  parts.reduce((text, part, index) => `${text}${encodeURIComponent(String(values[index - 1]))}${part}`);

function messageOf({ status, body }: ApiResponse): string {
  const { message, error, retry_after } = (body ?? {}) as Record<string, unknown>;
  const text = [message, error].find(each => typeof each === 'string') ?? `The API responded with status ${status}`;
  return typeof retry_after === 'number' ? `${text}. Wait ${retry_after} s before the next call` : String(text);
}
