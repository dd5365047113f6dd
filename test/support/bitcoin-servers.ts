import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Ending = { onTestFinished(work: () => Promise<void>): void };

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const le = (value: bigint | number, bytes: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer.toString('hex').slice(0, 2 * bytes);
};
const reversed = (hex: string) => Buffer.from(hex, 'hex').reverse().toString('hex');

/** A transaction in hexadecimal digits that spends some outputs and pays some scripts, with its id in display order. */
export function bitcoinTransaction(
  inputs: readonly { tx: string; vout: number }[],
  outputs: readonly { amount: number; script: string }[],
): { id: string; hex: string } {
  const body = [
    le(inputs.length, 1),
    ...inputs.map(({ tx, vout }) => `${reversed(tx)}${le(vout, 4)}00ffffffff`),
    le(outputs.length, 1),
    ...outputs.map(({ amount, script }) => `${le(amount, 8)}${le(script.length / 2, 1)}${script}`),
  ].join('');
  const id = sha256(sha256(Buffer.from(`02000000${body}00000000`, 'hex')))
    .reverse()
    .toString('hex');
  const witness = inputs.map(() => '0101aa').join('');
  return { id, hex: `020000000001${body}${witness}00000000` };
}

/** What goes wrong with a server of Bitcoin, if anything. */
export type Trouble = 'none' | 'hangs' | 'endless' | 'nonsense' | 'lies' | 'empty' | 'redirects' | 'refuses';

export type MinedTransaction = { hex: string; block?: string; confirmations?: number };

/** Answers in place of what was asked; false if it should be answered. */
function misbehave(trouble: Trouble, response: ServerResponse): boolean {
  switch (trouble) {
    case 'hangs':
      return true;
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = `{"result":"${'0'.repeat(100_000)}`;
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
      return true;
    }
    case 'nonsense':
      response.end('<html>busy</html>');
      return true;
    case 'empty':
      response.end('null');
      return true;
    case 'redirects':
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      return true;
    case 'refuses':
      response.writeHead(403).end('{"result":{}}');
      return true;
    default:
      return false;
  }
}

async function serve(t: Ending, answer: (path: string, body: string) => object | undefined) {
  const state = { trouble: 'none' as Trouble, asked: [] as string[] };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    state.asked.push(body === '' ? request.url! : body);
    if (misbehave(state.trouble, response)) return;
    const found = answer(request.url!, body);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** A Bitcoin node: transactions by id, headers by hash. If it lies, every transaction is another one. */
export async function startBitcoinNode(
  t: Ending,
  transactions: Map<string, MinedTransaction>,
  heights: Map<string, number>,
) {
  const node = await serve(t, (_, body) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [string, boolean, string?] };
    const [id, , block] = params;
    const unknown = { result: null, error: { code: -5, message: 'No such thing' }, id: 'cairn' };
    if (method === 'getblockheader') {
      const height = heights.get(id);
      return height === undefined ? unknown : { result: { hash: id, height }, error: null, id: 'cairn' };
    }
    const found = transactions.get(id);
    if (!found || (block !== undefined && found.block !== block)) return unknown;
    const { hex, block: blockhash, confirmations } = found;
    const forged = bitcoinTransaction([{ tx: id, vout: 9 }], [{ amount: 1, script: '51' }]).hex;
    const result = { hex: node.trouble === 'lies' ? forged : hex, ...(blockhash && { blockhash, confirmations }) };
    return { result, error: null, id: 'cairn' };
  });
  return node;
}

/** Emily: deposits by `txid/vout`. If she lies, she does so about the amount. */
export async function startEmily(t: Ending, deposits: Map<string, object>) {
  const emily = await serve(t, path => {
    const found = deposits.get(path.replace('/deposit/', ''));
    return found && (emily.trouble === 'lies' ? { ...found, amount: 1 } : found);
  });
  return emily;
}
