import { io, type Socket } from 'socket.io-client';
import WebSocket from 'ws';

/** A block in messages and responses. */
type Block = { height: number; hash: string; canonical: boolean };
type Balance = { balance: string; total_sent: string; total_received: string; total_fees_sent: string };

const maxHeights = 60;

/**
 * A client that knows the newest blocks and the STX of one account: it asks once when it connects, then follows the messages,
 * and does so anew after every loss of its connection.
 */
export class Follower {
  readonly address: string;
  readonly blocks = new Map<number, string>();
  balance: Balance | undefined;
  messages = 0;
  connects = 0;
  /** True if it has read since it last connected. */
  synced = false;
  readonly #port: number;
  readonly #transport: 'websocket' | 'socket.io';
  #ws: WebSocket | undefined;
  #socket: Socket | undefined;
  #waiting: (() => void)[] = [];
  #stopped = false;

  constructor(port: number, transport: 'websocket' | 'socket.io', address: string) {
    this.#port = port;
    this.#transport = transport;
    this.address = address;
    this.#connect();
  }

  /** Cuts the connection without a word. */
  cut(): void {
    this.synced = false;
    this.#ws?.terminate();
    this.#socket?.io.engine?.close();
  }

  stop(): void {
    this.#stopped = true;
    this.#ws?.terminate();
    this.#socket?.disconnect();
  }

  #connect(): void {
    if (this.#stopped) return;
    if (this.#transport === 'websocket') this.#connectWebSocket();
    else this.#connectSocketIo();
  }

  #connectWebSocket(): void {
    const ws = new WebSocket(`ws://127.0.0.1:${this.#port}/extended/v1/ws`);
    this.#ws = ws;
    ws.on('error', () => {});
    ws.on('close', () => {
      this.synced = false;
      setTimeout(() => this.#connect(), 50 + Math.random() * 1_000);
    });
    ws.on('open', () => {
      const params = [
        { event: 'block' },
        { event: 'removed_block' },
        { event: 'address_balance_update', address: this.address },
      ];
      ws.send(JSON.stringify(params.map((p, id) => ({ jsonrpc: '2.0', id, method: 'subscribe', params: p }))));
    });
    ws.on('message', data => {
      const message = JSON.parse(data.toString());
      if (Array.isArray(message)) void this.#sync(() => this.#ws === ws && ws.readyState === WebSocket.OPEN);
      else if (/^(removed_)?block$/.test(message.method)) this.#take(() => this.#takeBlock(message.params));
      else if (message.method === 'address_balance_update') this.#take(() => this.#takeBalance(message.params));
    });
  }

  #connectSocketIo(): void {
    const balanceTopic = `address-stx-balance:${this.address}`;
    const socket = io(`http://127.0.0.1:${this.#port}`, {
      transports: ['websocket'],
      query: { subscriptions: ['block', 'removed-block', balanceTopic].join(',') },
      reconnectionDelay: 50,
      reconnectionDelayMax: 1_000,
      forceNew: true,
    });
    this.#socket = socket;
    socket.on('connect', () => {
      const { id } = socket;
      void this.#sync(() => socket.connected && socket.id === id);
    });
    socket.on('disconnect', () => {
      this.synced = false;
    });
    for (const event of ['block', 'removed-block']) {
      socket.on(event, (block: Block) => this.#take(() => this.#takeBlock(block)));
    }
    socket.on(balanceTopic, (_address: string, balance: Balance) => this.#take(() => this.#takeBalance(balance)));
  }

  /** Reads what it missed; messages that arrive meanwhile are applied afterwards. */
  async #sync(connected: () => boolean): Promise<void> {
    this.connects++;
    this.synced = false;
    this.#waiting = [];
    const base = `http://127.0.0.1:${this.#port}`;
    while (connected()) {
      try {
        const [blocks, balance] = await Promise.all([
          responseOf<{ results: Block[] }>(`${base}/extended/v2/blocks?limit=30`),
          responseOf<Balance>(`${base}/extended/v1/address/${this.address}/stx`),
        ]);
        if (!connected()) return;
        this.blocks.clear();
        for (const { height, hash } of blocks.results) this.blocks.set(height, hash);
        this.#takeBalance(balance);
        this.synced = true;
        for (const take of this.#waiting) take();
        this.#waiting = [];
        return;
      } catch {
        await new Promise(resolve => setTimeout(resolve, 200));
      }
    }
  }

  #take(work: () => void): void {
    this.messages++;
    if (this.synced) work();
    else this.#waiting.push(work);
  }

  #takeBlock({ height, hash, canonical }: Block): void {
    if (!canonical && this.blocks.get(height) !== hash) return;
    for (const known of this.blocks.keys())
      if (known >= height || known < height - maxHeights) this.blocks.delete(known);
    if (canonical) this.blocks.set(height, hash);
  }

  #takeBalance({ balance, total_sent, total_received, total_fees_sent }: Balance): void {
    this.balance = { balance, total_sent, total_received, total_fees_sent };
  }
}

async function responseOf<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
  return (await response.json()) as T;
}
