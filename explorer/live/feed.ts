import { batch, signal } from '@preact/signals';
import { read } from '../api/client.ts';
import type { Block } from '../api/schema.ts';
import { addBlocks, type SeenBlock, seenBlock } from './chain-view.ts';

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
const waiting = { blocks: [] as SeenBlock[], mempool: false };
let applying: ReturnType<typeof setTimeout> | undefined;

/** Connects, subscribes, and keeps the signals of this file current until the page is closed. */
export function startFeed(): void {
  connect();
  setInterval(() => void checkLag(), STATUS_EVERY_MS);
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
    for (const [id, event] of ['block', 'removed_block', 'mempool'].entries()) {
      current.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { event } }));
    }
    const missed = failures > 0;
    failures = 0;
    liveState.value = 'live';
    void loadBlocks();
    void checkLag();
    if (missed) announce();
  };
  current.onmessage = ({ data }) => take(String(data));
  current.onclose = () => {
    if (socket !== current) return;
    liveState.value = 'reconnecting';
    const pause = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)]!;
    setTimeout(() => socket === current && connect(), pause);
  };
}

function reconnectNow(): void {
  if (socket?.readyState === WebSocket.CLOSED) connect();
}

/** What was missed is not sent again: everything shown is read anew. */
function announce(): void {
  batch(() => {
    reconnections.value++;
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

function take(text: string): void {
  const message = JSON.parse(text) as { method?: string; params?: unknown };
  // The topic decides the shape of its parameters.
  if (message.method === 'block' || message.method === 'removed_block') {
    waiting.blocks.push(seenBlock(message.params as Block));
  } else if (message.method === 'mempool') waiting.mempool = true;
  else return;
  if (applying === undefined) applying = setTimeout(apply, APPLY_EVERY_MS);
}

function apply(): void {
  applying = undefined;
  const { blocks } = waiting;
  batch(() => {
    if (blocks.length > 0) {
      seenBlocks.value = addBlocks(seenBlocks.value, blocks);
      chainRevision.value++;
    }
    if (blocks.length > 0 || waiting.mempool) mempoolRevision.value++;
  });
  waiting.blocks = [];
  waiting.mempool = false;
}
