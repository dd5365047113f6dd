import { batch, signal } from '@preact/signals';
import { read } from '../api/client.ts';
import type { Block, StreamMessage } from '../api/schema.ts';
import { addBlocks, removeBlocks, type SeenBlock, seenBlock } from './chain-view.ts';

/** `behind`: connected, but the server itself has events that it has not worked through. */
export type LiveState = 'connecting' | 'live' | 'behind' | 'reconnecting';

export const liveState = signal<LiveState>('connecting');
/** Grows when the chain or the mempool has changed; what is shown is then read again. */
export const chainRevision = signal(0);
export const mempoolRevision = signal(0);
/** Grows a few seconds after the chain has changed, for what is expensive to read, such as charts. */
export const historyRevision = signal(0);
/** Grows when a lost connection is there again. Everything is then read again, as failed requests are. */
export const reconnections = signal(0);
/** The newest blocks, orphans included. */
export const seenBlocks = signal<readonly SeenBlock[]>([]);

/** Messages are applied together, so that any rate of messages costs the same. */
const APPLY_EVERY_MS = 250;
const HISTORY_EVERY_MS = 10_000;
const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000];
const STATUS_EVERY_MS = 15_000;
const MAX_LAG_SECONDS = 15;

let failures = 0;
let socket: WebSocket | undefined;
/** Of the last message of the stream: a new connection goes on after it. */
let position: string | undefined;
let lastTick = Date.now();
/** Changes of the seen blocks, in order. */
const waiting = { changes: [] as ((seen: readonly SeenBlock[]) => SeenBlock[])[], mempool: false };
let applying: ReturnType<typeof setTimeout> | undefined;

/** Connects, subscribes, and keeps the signals of this file current until the page is closed. */
export function startFeed(): void {
  connect();
  setInterval(() => {
    // The machine slept: the connection looks open, and may be lost.
    if (Date.now() - lastTick > 2 * STATUS_EVERY_MS) reopen();
    lastTick = Date.now();
    void checkLag();
  }, STATUS_EVERY_MS);
  setInterval(() => {
    if (!document.hidden) historyRevision.value = mempoolRevision.value;
  }, HISTORY_EVERY_MS);
  addEventListener('online', () => reconnectNow());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) reconnectNow();
  });
}

function connect(): void {
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/extended/v1/ws`;
  const current = new WebSocket(url);
  socket = current;
  current.onopen = () => {
    subscribe(current, 1, { event: 'stream', topics: ['blocks', 'mempool'], ...(position && { after: position }) });
    // Blocks of other branches are not part of the stream.
    subscribe(current, 2, { event: 'block' });
    const again = failures > 0;
    failures = 0;
    liveState.value = 'live';
    if (position === undefined) void loadBlocks();
    void checkLag();
    if (!again) return;
    // Requests that failed meanwhile are repeated; what happened on the chain comes by the stream, if it was ever reached.
    reconnections.value++;
    if (position === undefined) announce();
  };
  current.onmessage = ({ data }) => take(String(data));
  current.onclose = () => {
    if (socket !== current) return;
    liveState.value = 'reconnecting';
    const pause = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)]!;
    setTimeout(() => socket === current && connect(), pause);
  };
}

function subscribe(to: WebSocket, id: number, params: object): void {
  to.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params }));
}

function reopen(): void {
  const old = socket;
  socket = undefined;
  failures++;
  old?.close();
  connect();
}

function reconnectNow(): void {
  if (socket?.readyState === WebSocket.CLOSED) connect();
}

/** What was missed cannot be sent: everything shown is read anew. */
function announce(): void {
  batch(() => {
    chainRevision.value++;
    mempoolRevision.value++;
  });
}

async function loadBlocks(): Promise<void> {
  try {
    const { results } = await read('/extended/v2/blocks/', { limit: 30 });
    seenBlocks.value = addBlocks(seenBlocks.value, results.map(seenBlock));
  } catch {
    socket?.close(); // connecting again reads them again
  }
}

async function checkLag(): Promise<void> {
  if (socket?.readyState !== WebSocket.OPEN || document.hidden) return;
  try {
    const { lag_seconds } = await read('/extended/v1/status/ingest');
    if (socket?.readyState === WebSocket.OPEN) liveState.value = lag_seconds > MAX_LAG_SECONDS ? 'behind' : 'live';
  } catch {
    liveState.value = socket?.readyState === WebSocket.OPEN ? 'behind' : 'reconnecting';
  }
}

type StreamError = { type: 'error' };

function take(text: string): void {
  const message = JSON.parse(text) as { method?: string; params?: unknown };
  // The topic decides the shape of its parameters.
  if (message.method === 'block') {
    const block = seenBlock(message.params as Block);
    waiting.changes.push(seen => addBlocks(seen, [block]));
  } else if (message.method === 'stream') takeStreamed(message.params as StreamMessage | StreamError);
  else return;
  if (applying === undefined) applying = setTimeout(apply, APPLY_EVERY_MS);
}

function takeStreamed(message: StreamMessage | StreamError): void {
  if (message.type === 'error') {
    startAnew();
    return;
  }
  position = message.position;
  if (message.type === 'mempool') {
    waiting.mempool = true;
  } else if (message.type === 'rollback') {
    const { removed } = message;
    waiting.changes.push(seen => removeBlocks(seen, removed));
  } else {
    const block = seenBlock(message.block);
    waiting.changes.push(seen => addBlocks(seen, [block]));
  }
}

/** The service no longer has what follows the position. */
function startAnew(): void {
  position = undefined;
  void loadBlocks();
  announce();
  if (socket?.readyState === WebSocket.OPEN) subscribe(socket, 1, { event: 'stream', topics: ['blocks', 'mempool'] });
}

function apply(): void {
  applying = undefined;
  const { changes } = waiting;
  batch(() => {
    if (changes.length > 0) {
      seenBlocks.value = changes.reduce((seen, change) => change(seen), seenBlocks.value as SeenBlock[]);
      chainRevision.value++;
    }
    if (changes.length > 0 || waiting.mempool) mempoolRevision.value++;
  });
  waiting.changes = [];
  waiting.mempool = false;
}
