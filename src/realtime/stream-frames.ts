import type { RenderedMessage } from '../stream/rendered-message.ts';
import { deflatedFrame, textFrame } from './frame.ts';

/** The name of the subscription and of its notifications, in both protocols. */
export const STREAM = 'stream';

const notification = (json: string) => Buffer.from(`{"jsonrpc":"2.0","method":"${STREAM}","params":${json}}`);

type Frames = { plain?: Buffer; deflated?: Buffer };

const frames = new WeakMap<RenderedMessage, Frames>();

/** The WebSocket frame of a message of a stream, made once for all clients. */
export function streamFrame(message: RenderedMessage, deflate: boolean): Buffer {
  let made = frames.get(message);
  if (!made) {
    made = {};
    frames.set(message, made);
  }
  if (deflate) {
    made.deflated ??= deflatedFrame(notification(message.json)) ?? streamFrame(message, false);
    return made.deflated;
  }
  made.plain ??= textFrame(notification(message.json));
  return made.plain;
}

/** The last message of a stream that cannot go on. */
export const errorMessage = (error: Readonly<Record<string, unknown>>) => ({ type: 'error', ...error });

export const streamError = (error: Readonly<Record<string, unknown>>): Buffer =>
  textFrame(notification(JSON.stringify(errorMessage(error))));
