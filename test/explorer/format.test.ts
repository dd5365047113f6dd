import { expect, test } from 'vitest';
import { timeSteps, timeText, timeTexts } from '../../explorer/charts/time-axis.ts';
import { formatStx, formatUnits, unitsOf } from '../../explorer/format/amount.ts';
import { memoText } from '../../explorer/format/bytes.ts';
import { kindOf, networkOfAddress, pageOf } from '../../explorer/format/identify.ts';
import { formatBytes, formatShare } from '../../explorer/format/number.ts';
import { shorten, shortenPrincipal } from '../../explorer/format/shorten.ts';
import { formatDuration, localTime, relativeTime, utcTime } from '../../explorer/format/time.ts';
import { latinLookalike, mixesScripts, visibleParts } from '../../explorer/format/visible-text.ts';
import { itemText } from '../../explorer/tokens/item.ts';
import { safeSymbol } from '../../explorer/tokens/symbol.ts';
import { sweepText } from '../../explorer/words/sweep.ts';

test.each([
  [0n, '0 STX'],
  [1n, '0.000001 STX'],
  [1_500_000n, '1.5 STX'],
  [1_234_567_890_123n, '1,234,567.890123 STX'],
  [-77n, '−0.000077 STX'],
  [2n ** 128n - 1n, '340,282,366,920,938,463,463,374,607,431,768.211455 STX'],
])('%s micro-STX are %s', (micro, text) => expect(formatStx(micro)).toBe(text));

test('amounts of tokens follow their decimals', () => {
  expect([formatUnits(1234n, 0), formatUnits(1234n, 2), formatUnits(5n, 8)]).toEqual(['1,234', '12.34', '0.00000005']);
  expect([unitsOf('12'), unitsOf('1.2'), unitsOf('')]).toEqual([12n, undefined, undefined]);
});

test('shares and sizes keep small values apart from none', () => {
  expect([formatShare(0n, 10n), formatShare(1n, 10n ** 9n), formatShare(1n, 8n)]).toEqual([
    '0.00 %',
    '< 0.01 %',
    '12.5 %',
  ]);
  expect([formatBytes(999), formatBytes(1500), formatBytes(2_000_000)]).toEqual(['999 B', '1.5 kB', '2.0 MB']);
});

test('times are relative and exact', () => {
  expect([0, 1, 5, 65, 7200, 200_000].map(ago => relativeTime(1_000_000 - ago, 1_000_000))).toEqual([
    'just now',
    'just now',
    '5 seconds ago',
    '1 minute ago',
    '2 hours ago',
    '2 days ago',
  ]);
  expect(relativeTime(1_003_600, 1_000_000)).toBe('in 1 hour');
  expect(utcTime(1_794_975_468)).toBe('2026-11-18 04:17:48 UTC');
  expect(localTime(1_794_975_468, 'en-GB', 'Europe/Berlin')).toBe('18 Nov 2026, 05:17:48');
  expect([0.5, 59, 61, 7500, 90_000].map(formatDuration)).toEqual([
    '0.5 s',
    '59 s',
    '1 min 1 s',
    '2 h 5 min',
    '1 d 1 h',
  ]);
});

test('the time axis speaks as its reader, with a date only where it is needed', () => {
  const now = Date.UTC(2026, 10, 18, 10, 0) / 1000;
  const every = (seconds: number) => [0, 1, 2].map(index => now - 7200 + index * seconds);
  const read = (ticks: number[], locale: string, timeZone = 'UTC') =>
    timeTexts(ticks, now, { locale, timeZone }).map(text => text.replace('\u202f', ' '));
  expect(read(every(900), 'de')).toEqual(['08:00', '08:15', '08:30']);
  expect(read(every(900), 'en-US')).toEqual(['08:00', '08:15', '08:30']);
  expect(read(every(30), 'en-GB')).toEqual(['08:00:00', '08:00:30', '08:01:00']);
  expect(read(every(900), 'en-GB', 'Asia/Tokyo')).toEqual(['17:00', '17:15', '17:30']);
  const overnight = [-12, -10, -8].map(hours => now + hours * 3600);
  expect(read(overnight, 'en-GB')).toEqual(['22:00\n17 Nov', '00:00\n18 Nov', '02:00']);
  expect(read(every(86_400), 'en-GB')).toEqual(['18 Nov', '19 Nov', '20 Nov']);
  expect(read(every(90 * 86_400), 'en-GB')).toEqual(['Nov 2026', 'Feb 2027', 'May 2027']);
  const utc = { locale: 'en-GB', timeZone: 'UTC' };
  expect([timeText(now - 5, now, utc), timeText(now - 90_000, now, utc)]).toEqual([
    '09:59:55',
    '17 Nov 2026, 09:00:00',
  ]);
  expect([timeSteps()[0], timeSteps(300)[0], timeSteps().at(-1)]).toEqual([1, 300, 365 * 86_400]);
});

test('long texts are shortened between characters', () => {
  expect(shorten('0x1234567890abcdef1234567890')).toBe('0x123456…567890');
  expect(shorten('short')).toBe('short');
  expect(shorten('🪨'.repeat(30), 2, 1)).toBe('🪨🪨…🪨');
  expect(shortenPrincipal('ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F.stone')).toBe('ST3PD…H64F.stone');
});

test('characters that do not show are named', () => {
  expect(visibleParts('pay\u202Eevil\u200B\u0007!')).toEqual([
    { text: 'pay', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'evil', hidden: false },
    { text: 'U+200B', hidden: true },
    { text: 'U+0007', hidden: true },
    { text: '!', hidden: false },
  ]);
  expect(visibleParts('\ud800')).toEqual([{ text: 'U+D800', hidden: true }]);
  expect(visibleParts('line\n\ttab ünï 🪨')).toEqual([{ text: 'line\n\ttab ünï 🪨', hidden: false }]);
  expect([mixesScripts('раypal.btc'), mixesScripts('paypal.btc'), mixesScripts('привет')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an item is written as people write it', () => {
  expect(itemText('u12')).toBe('#12');
  expect(itemText('(tuple (name 0x616c696365) (namespace 0x627463))')).toBe('alice.btc');
  expect(itemText('(tuple (name 0xff) (namespace 0x627463))')).toBe('0xff.btc');
  expect(itemText('(tuple (id u1))')).toBe('(tuple (id u1))');
});

test('a memo is text where it is text', () => {
  expect(memoText(`0x${'00'.repeat(34)}`)).toBeUndefined();
  expect(memoText(`0x${Buffer.from('hello').toString('hex').padEnd(68, '0')}`)).toBe('hello');
  expect(memoText('0xff00')).toBe('0xff');
});

const address = 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F';
test.each([
  [`0x${'ab'.repeat(32)}`, 'transaction-or-block', undefined],
  ['ab'.repeat(32), 'transaction-or-block', undefined],
  ['#123', 'height', undefined],
  [address.toLowerCase(), 'account', `/account/${address}`],
  [`${address}.stone`, 'contract', `/contract/${address}.stone`],
  [`${address}.stone::stone`, 'token', `/token/${address}.stone%3A%3Astone`],
  ['Alice.BTC', 'name', '/name/alice.btc'],
  ['two words', 'words', undefined],
])('%s has the form of: %s', (text, kind, page) => {
  expect([kindOf(text), pageOf(text)]).toEqual([kind, page]);
});

test('an address tells its network', () => {
  expect([networkOfAddress('SP12'), networkOfAddress('SN12'), networkOfAddress('bc1q')]).toEqual([
    'mainnet',
    'testnet',
    undefined,
  ]);
});

test('letters that look Latin are found also where no Latin letter is beside them', () => {
  expect(latinLookalike('\u0405\u0422\u0425')).toBe('STX');
  expect(['STX', 'привет', '123', '統一'].map(latinLookalike)).toEqual(Array(4).fill(undefined));
});

test('a token that pretends to be STX is shown with its contract', () => {
  const decoy = 'ST000000000000000000002AMW42H.decoy::stx';
  for (const symbol of ['STX', ' stx.', '\u0405\u0422\u0425', 'ST\u0425', '', undefined]) {
    expect(safeSymbol(symbol, decoy)).toBe('stx of ST000…W42H.decoy');
  }
  expect(safeSymbol('STX', 'ST000000000000000000002AMW42H.a::coin')).toBe('coin');
  expect(safeSymbol('COIN', decoy)).toBe('COIN');
});

test('a sweep is told by its confirmations, or by the fork that has orphaned it', () => {
  expect(sweepText({ confirmations: 1, canonical: true })).toBe('1 confirmation');
  expect(sweepText({ confirmations: 7, canonical: true })).toBe('7 confirmations');
  expect(sweepText({ confirmations: 0, canonical: false })).toBe('orphaned by a fork of Bitcoin');
  expect(sweepText({ confirmations: null, canonical: null })).toBe('Bitcoin block unknown');
});
