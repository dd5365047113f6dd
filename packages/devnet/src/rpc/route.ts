/** A request to a route; `params` are the groups that the path pattern captured. */
export type RpcRequest = {
  params: string[];
  query: URLSearchParams;
  type: string;
  /** The header `authorization`; empty without one. */
  authorization: string;
  body(): Promise<Buffer>;
};

/** A response: JSON, raw bytes or plain text. */
export type RpcResponse =
  | { status?: number; json: unknown }
  | { status?: number; bytes: Uint8Array }
  | { status: number; text: string };

export type RpcRoute = {
  method: 'GET' | 'POST';
  path: RegExp;
  respond(request: RpcRequest): Promise<RpcResponse> | RpcResponse;
};

export const notFound = (text: string): RpcResponse => ({ status: 404, text });
export const badRequest = (text: string): RpcResponse => ({ status: 400, text });
