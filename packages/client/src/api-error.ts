/** The service refused a request, with the status and the body that say why. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The parsed body of the response; its text if it is not JSON. */
  readonly body: unknown;
  /** Milliseconds after which to try again, if the service names them. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, body: unknown, retryAfterMs?: number) {
    const { message = body, error = message } = (typeof body === 'object' && body !== null ? body : {}) as {
      message?: unknown;
      error?: unknown;
    };
    super(`${status}: ${typeof message === 'string' ? message : String(error ?? 'request refused')}`);
    this.status = status;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }

  /** A number of the body, such as `from_height` of a lost position. */
  field(name: string): number | undefined {
    const value = (this.body as Record<string, unknown> | null)?.[name];
    return typeof value === 'number' ? value : undefined;
  }
}

/** The error of a response that is not a success. Rejects if the body was cut off: what it says is not known then. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the text itself says what is wrong.
  }
  const seconds = Number(response.headers.get('retry-after'));
  return new ApiError(response.status, body, seconds > 0 ? seconds * 1000 : undefined);
}
