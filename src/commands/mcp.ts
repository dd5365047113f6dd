import { UsageError } from '../errors.ts';
import type { Send } from '../mcp/api-reader.ts';
import { buildMcpServer, loadSdk } from '../mcp/mcp-server.ts';
import type { Command } from './command.ts';

const DEFAULT_URL = 'http://127.0.0.1:3999';
const TIMEOUT_MS = 30_000;
/** Larger responses are refused: tools request small pages. */
const MAX_BYTES = 8 << 20;

export const command: Command = {
  usage: '',
  more: 'The same tools are served by a running service at /mcp. docs/agents.md shows how to add either to a client.',
  flags: {
    url: { type: 'string', value: 'URL', about: `Base URL of the API; ${DEFAULT_URL} by default.` },
    key: { type: 'string', value: 'KEY', about: 'API key to send.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags }) {
    const base = baseOf(String(flags.url ?? DEFAULT_URL));
    const key = flags.key as string | undefined;
    const sdk = await loadSdk();
    if (!sdk)
      throw new UsageError('cairn mcp needs the package @modelcontextprotocol/server: npm install it beside cairn');
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    const onBug = (error: unknown) => process.stderr.write(`cairn mcp: ${(error as Error).stack}\n`);
    const ended = new Promise<void>(resolve => process.stdin.once('end', resolve));
    const served = serveStdio(() => buildMcpServer(sdk, sendTo(base, key), onBug));
    await ended;
    await served.close();
    return 0;
  },
};

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--url is ${text}, which is not an http(s) URL such as ${DEFAULT_URL}`);
  return url.href.replace(/\/$/, '');
}

/** Sends requests of tools to an API elsewhere. */
const sendTo =
  (base: string, key: string | undefined): Send =>
  async ({ method, url, body, signal }) => {
    const ends = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(base + url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'x-api-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, ends]) : ends,
    }).catch(error => {
      const reason = ends.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : String((error as Error).message);
      return new Response(JSON.stringify({ message: `The API at ${base} cannot be reached: ${reason}` }), {
        status: 503,
      });
    });
    return { status: response.status, body: await readBody(response) };
  };

async function readBody(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
