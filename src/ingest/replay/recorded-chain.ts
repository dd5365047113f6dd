import { chainMarkIn } from '../../node/chain-mark.ts';
import { readRecordedEvents } from './recorded-events.ts';

/** Events that may pass before the chain must have shown itself. */
const MAX_EVENTS = 20_000;

/** The chain id that the first signed transaction of a recorded file names; undefined when none is near its start. */
export async function findChainId(file: string): Promise<number | undefined> {
  let events = 0;
  for await (const { path, body } of readRecordedEvents(file)) {
    const mark = chainMarkIn(path, body);
    if (mark || ++events === MAX_EVENTS) return mark?.chainId;
  }
  return undefined;
}
