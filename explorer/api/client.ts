import type { Responses } from './schema.ts';

export type Path = keyof Responses;
export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A response that is not a 200. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Fills `{name}` in a path from the parameters; the others become the query. */
export function urlOf(path: string, parameters: Parameters = {}): string {
  const used = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name);
    return encodeURIComponent(String(parameters[name]));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (used.has(name) || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Reads one path of the API. The browser's cache revalidates by ETag, so repeating a request is cheap. */
export async function read<P extends Path>(
  path: P,
  parameters?: Parameters,
  signal?: AbortSignal,
): Promise<Responses[P]> {
  // The path decides the shape: this is what the types are generated for.
  return (await request(urlOf(path, parameters), signal && { signal })) as Responses[P];
}

/** Sends a request and parses the response. */
export async function request(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, headers: { accept: 'application/json', ...init.headers } }).catch(
    error => {
      if (init.signal?.aborted) throw error;
      throw new ApiError(0, 'The server did not respond. It may be stopped, or the network may be down.');
    },
  );
  const text = await response.text();
  if (!response.ok)
    throw new ApiError(response.status, messageOf(text) ?? `The server responded with ${response.status}.`);
  return JSON.parse(text);
}

/** The message of an error response. */
function messageOf(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { message?: unknown; error?: unknown };
    const message = body.message ?? body.error;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return text.length > 0 && text.length < 200 ? text : undefined;
  }
}
