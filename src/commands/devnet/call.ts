import { request } from 'undici';

/** Sends a control request to a devnet. It waits as long as the command takes: `fetch` would give up after five minutes. */
export async function callDevnet(
  url: string,
  method: 'GET' | 'POST' = 'POST',
): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { method, headersTimeout: 0, bodyTimeout: 0 });
  return { status: statusCode, text: await body.text() };
}
