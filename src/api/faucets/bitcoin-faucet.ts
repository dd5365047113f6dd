import { Line, unavailable } from './faucet.ts';

/** Calls the RPC of a Bitcoin node; throws if it does not respond or refuses. */
export type BitcoinRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type BitcoinGiven = { txid: string; raw_tx: string };

/** Gives from the wallet of a Bitcoin node on a test network, one after the other. */
export class BitcoinFaucet {
  readonly #rpc: BitcoinRpc;
  readonly #line = new Line();

  constructor(rpc: BitcoinRpc) {
    this.#rpc = rpc;
  }

  /** The amount is in bitcoin, as the node counts. */
  async give(address: string, amount: number): Promise<BitcoinGiven> {
    return await this.#line.run(async () => {
      const txid = await this.#call('sendtoaddress', [address, amount]);
      const sent = (await this.#call('gettransaction', [txid])) as { hex?: unknown } | null;
      if (typeof txid !== 'string' || typeof sent?.hex !== 'string') throw unavailable();
      return { txid, raw_tx: sent.hex };
    });
  }

  /** What unspent outputs of an address hold, in bitcoin. */
  async balanceOf(address: string): Promise<number> {
    return await this.#line.run(async () => {
      const found = (await this.#call('scantxoutset', ['start', [`addr(${address})`]])) as { total_amount?: unknown };
      if (typeof found?.total_amount !== 'number') throw unavailable();
      return found.total_amount;
    });
  }

  async #call(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#rpc(method, params);
    } catch {
      throw unavailable();
    }
  }
}

const TIMEOUT_MS = 20_000;

/** The RPC behind an address as `http://user:password@127.0.0.1:18443`, with a wallet as `/wallet/NAME` behind it. */
export function bitcoinRpc(url: string, onFailure: (error: unknown) => void): BitcoinRpc {
  const { username, password, origin, pathname } = new URL(url);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return async (method, params) => {
    try {
      const response = await fetch(origin + pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(username && { authorization: `Basic ${login}` }) },
        body: JSON.stringify({ jsonrpc: '1.0', id: method, method, params }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: unknown } | null };
      if (error) throw new Error(`${method}: ${String(error.message)}`);
      return result;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
}
