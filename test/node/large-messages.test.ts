import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { describe, expect, test } from 'vitest';
import { finishMessage, isMessage, MessageError, parseMessage } from '../../src/node/json.ts';
import { maxDepth } from '../../src/node/message-depth.ts';
import { MessageSplitter } from '../../src/node/message-splitter.ts';
import { readBlock, readBlockReference } from '../../src/node/messages.ts';
import { mineLine, testChain } from '../support/chain.ts';

const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

describe('nested JSON', () => {
  test('of 200 levels is parsed, deeper is refused unread', () => {
    expect(parseMessage(nested(maxDepth))).toHaveLength(1);
    expect(() => parseMessage(nested(maxDepth + 1))).toThrow(/nested deeper than 200 levels/);
    expect(() => parseMessage(Buffer.from('['.repeat(2 << 20)))).toThrow(MessageError);
  });

  test('counts brackets of texts as text', () => {
    const text = '['.repeat(1000);
    expect(parseMessage(Buffer.from(JSON.stringify({ text: `\\"${text}`, more: `${text}"` })))).toEqual({
      text: `\\"${text}`,
      more: `${text}"`,
    });
  });
});

describe('a message of more than 8 MB', () => {
  const chain = testChain({ seed: 4 });
  const [block] = mineLine(chain, chain.genesis, 1, { transactions: 4 });
  /** Brings a message beyond the size from which its events are parsed in parts; unknown fields are no part of a block. */
  const padding = `"padding":"${'x'.repeat(9 << 20)}",`;
  const grown = (text: string) => Buffer.from(`{${padding}${text.slice(1)}`);

  test.each([
    ['block 0', messageText(chain.genesis.body)],
    ['a block', messageText(block!.body)],
  ])('gives %s as a small one does', (_, text) => {
    const small = parseMessage(Buffer.from(text));
    const large = parseMessage(grown(text));
    expect(Array.isArray((large as { events: unknown }).events)).toBe(false);
    expect(readBlock(large)).toEqual(readBlock(small));
    expect(readBlockReference(large)).toEqual(readBlockReference(small));
    expect(isMessage(grown(text))).toBe(true);
  });

  const events = (list: string) => parseMessage(grown(`{"a":{"events":[0]},"events" : [${list}],"b":1}`)) as Listed;
  type Listed = { events: Iterable<unknown>; b: number };
  const long = JSON.stringify({ text: '],[{"\\'.repeat(20_000) });

  test('lists its events in order, however they are cut', () => {
    expect([...events('').events]).toEqual([]);
    expect([...events('1, {"c":[2,3]} ,"4,"').events]).toEqual([1, { c: [2, 3] }, '4,']);
    const list = Array.from({ length: 50 }, (_, i) => (i % 2 ? long : String(i)));
    expect([...events(list.join(',')).events]).toEqual(list.map(item => JSON.parse(item)));
    expect(events(list.join(',')).b).toBe(1);
  });

  test.each([
    ['an empty place', `${long},${long},,${long}`],
    ['a comma at the end', `${Array(9).fill(long).join(',')},`],
    ['a wrong bracket', `${long},{"a":1]`],
    ['no end', `${long},[1`],
  ])('with %s among its events is no JSON', (_, list) => {
    expect(() => [...events(list).events]).toThrow(MessageError);
  });
});

test('a message that arrives in chunks of any size is the one that arrives whole', () => {
  const text = `{"a":["events"],"events\\"":1,"events" \n: [{"text":"],[{\\"\\\\"},"é,",{"events":[1]}],"é":{"events":[2]}}`;
  const whole = JSON.parse(text) as { events: unknown[] };
  for (let size = 1; size < 20; size++) {
    const splitter = new MessageSplitter();
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) splitter.push(bytes.subarray(from, from + size));
    const message = finishMessage(splitter) as { events: Iterable<unknown> };
    expect({ ...message, events: [...message.events] }).toEqual(whole);
  }
});

test('a large message with two lists of events, or with one that does not end, is refused', () => {
  const refused = (text: string) => {
    const splitter = new MessageSplitter();
    splitter.push(Buffer.from(text));
    return finishMessage(splitter);
  };
  expect(() => refused('{"events":[1],"events":[2]}')).toThrow(/two lists of events/);
  expect(() => refused('{"events":[1,2')).toThrow(/does not end/);
});
