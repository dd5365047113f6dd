export type Id = string | number | null;

/** An error of JSON-RPC 2.0; codes below -32000 are those of the specification. */
export type RpcError = { message: string; code: number; data?: string };

export const rpcErrors = {
  parse: (data: string): RpcError => ({ message: 'Parse error', code: -32_700, data }),
  invalidRequest: (data?: string): RpcError => ({
    message: 'Invalid request',
    code: -32_600,
    ...(data !== undefined && { data }),
  }),
  unknownMethod: (): RpcError => ({ message: 'Method not found', code: -32_601 }),
  invalidParams: (data: string): RpcError => ({ message: 'Invalid params', code: -32_602, data }),
  limit: (data: string): RpcError => ({ message: 'Limit exceeded', code: -32_005, data }),
} as const;

export type RpcResult = { result: object } | { error: RpcError };
/** Handles one request. */
export type Handle = (method: string, params: unknown) => RpcResult;

/** Maximum number of requests in one batch. */
const MAX_BATCH = 1_000;
/** Maximum length of invalid JSON that is sent back. */
const MAX_ECHO = 256;

/** Handles a message of a client, one request or a batch; undefined if no response is due. */
export function handleText(text: string, handle: Handle): string | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return render(null, { error: rpcErrors.parse(text.slice(0, MAX_ECHO)) });
  }
  if (!Array.isArray(message)) return handleOne(message, handle);
  if (message.length === 0) return render(null, { error: rpcErrors.invalidRequest('the batch is empty') });
  if (message.length > MAX_BATCH) {
    return render(null, { error: rpcErrors.limit(`a batch may have ${MAX_BATCH} requests`) });
  }
  const responses = message.map(each => handleOne(each, handle)).filter(response => response !== undefined);
  return responses.length === 0 ? undefined : `[${responses.join(',')}]`;
}

function handleOne(message: unknown, handle: Handle): string | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return refuse(null);
  const { jsonrpc, id, method, params, result, error } = message as Record<string, unknown>;
  const known = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return refuse(known);
  if (method === undefined && result !== undefined) return refuse(known, 'unexpected success msg from client');
  if (method === undefined && error !== undefined) return refuse(known, 'unexpected error msg from client');
  if (typeof method !== 'string') return refuse(known);
  // A notification gets no response, so it has no effect.
  if (id === undefined) return undefined;
  return isId(id) ? render(id, handle(method, params)) : refuse(null);
}

const isId = (id: unknown): id is Id => id === null || typeof id === 'string' || typeof id === 'number';

const refuse = (id: Id, data?: string) => render(id, { error: rpcErrors.invalidRequest(data) });

const render = (id: Id, result: RpcResult) => JSON.stringify({ jsonrpc: '2.0', id, ...result });
