import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { describe, expect, test } from 'vitest';
import { readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import { testDevnet } from '../support/devnet.ts';
import { casesOf, needRecordings, recordedEvents, recordings } from '../support/recordings.ts';
import { blockShape, burnBlockShape, dropShape, mempoolShape } from './message-shapes.ts';

const shapes: Record<string, readonly string[]> = {
  '/new_block': blockShape,
  '/new_burn_block': burnBlockShape,
  '/drop_mempool_tx': dropShape,
  '/new_mempool_tx': mempoolShape,
};

/** Kinds of values by the place they stand at. */
type Seen = Map<string, Set<string>>;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'string') return typeof value;
  if (/^0x[0-9a-f]*$/.test(value)) return '0x';
  if (/^\d+$/.test(value)) return 'digits';
  return /^[0-9a-f]+$/.test(value) ? 'hex' : 'text';
}

/** What lies inside these is told by other documents, or is a dump that nobody reads. */
const opaque = /\.(value|contract_interface|contract_abi|burnchain_op)$/;

function look(value: unknown, at: string, seen: Seen): void {
  if (at !== '' && value !== '') seen.set(at, (seen.get(at) ?? new Set()).add(kindOf(value)));
  if (typeof value !== 'object' || value === null || opaque.test(at)) return;
  if (Array.isArray(value)) for (const item of value) look(item, `${at}[]`, seen);
  else for (const [key, item] of Object.entries(value)) look(item, at === '' ? key : `${at}.${key}`, seen);
}

const parse = (line: string) => {
  const [place = '', kinds = ''] = line.split(': ');
  return {
    place: place.replace('?', ''),
    optional: place.endsWith('?'),
    kinds: kinds.replace('hex', 'hex digits').split(' '),
  };
};

const { posted, live } = testDevnet();
live(120);
const seen: Record<string, Seen> = {};
for (const { path, body } of posted) {
  seen[path] ??= new Map();
  look(JSON.parse(messageText(body)), '', seen[path]);
}

describe.each(Object.keys(shapes))('the devnet posts %s', path => {
  const declared = shapes[path]!.map(parse);
  const kinds = new Map(declared.map(each => [each.place, each.kinds]));

  test('with all keys of the release and no others, each of its type', () => {
    const places = [...seen[path]!.keys()].filter(place => !place.endsWith('[]') || kinds.has(place));
    expect(places.filter(place => !kinds.has(place))).toEqual([]);
    const always = declared.filter(each => !each.optional).map(each => each.place);
    expect(always.filter(place => !seen[path]!.has(place))).toEqual([]);
    for (const [place, found] of seen[path]!) {
      const allowed = kinds.get(place);
      if (allowed)
        expect({ place, wrong: [...found].filter(kind => !allowed.includes(kind)) }).toEqual({ place, wrong: [] });
    }
  });

  test('with the same keys in every message', () => {
    const optional = new Set(declared.filter(each => each.optional).map(each => each.place));
    const own = declared.map(each => each.place).filter(place => !/[.[]/.test(place) && !optional.has(place));
    for (const { body } of posted.filter(message => message.path === path)) {
      expect(own.filter(key => !(key in body))).toEqual([]);
    }
  });
});

describe('what was recorded from real nodes', () => {
  needRecordings();
  /** Keys that other releases had: earlier names and what was removed. */
  const earlier = /contract_abi$|\.value$|_event\.value$|^reward_set\.rewarded_addresses\[\]/;

  test.each(casesOf(recordings))('in %s has no key that is not declared, and values of the same types', async name => {
    for await (const { path, body } of readRecordedEvents(recordedEvents(name))) {
      const kinds = new Map((shapes[path] ?? []).map(parse).map(each => [each.place, each.kinds]));
      if (kinds.size === 0) continue;
      const recorded: Seen = new Map();
      look(JSON.parse(body.toString()), '', recorded);
      for (const [place, found] of recorded) {
        if (earlier.test(place)) continue;
        const allowed = kinds.get(place) ?? (place.endsWith('[]') ? [...found] : undefined);
        const wrong = [...found].filter(kind => kind !== 'object' && !allowed?.includes(kind));
        expect({ path, place, wrong }).toEqual({ path, place, wrong: [] });
      }
    }
  });
});
