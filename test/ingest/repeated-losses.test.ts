import { expect, test } from 'vitest';
import { describeLoss, NoResponse } from '../../src/ingest/fold/lease/lease-loss.ts';
import { RepeatedLosses } from '../../src/ingest/fold/lease/repeated-losses.ts';

type Line = [level: string, message: string];

function losses(): { losses: RepeatedLosses; lines: Line[] } {
  const lines: Line[] = [];
  const line = (level: string) => (_: object, message: string) => void lines.push([level, message]);
  return { lines, losses: new RepeatedLosses({ info: line('info'), warn: line('warn'), error: line('error') }) };
}

const silence = describeLoss(Object.assign(new Error('idle'), { code: '57P05' }), 4_012);

test('a loss of the lock is told with its reason and the time of silence', () => {
  const { losses: seen, lines } = losses();
  seen.leaseLost(silence, 7n);
  seen.leaseLost(describeLoss(new NoResponse(1_500), 1_700), 7n);
  seen.leaseLost(describeLoss(new Error('read ECONNRESET'), 120), 7n);
  expect(lines).toEqual([
    ['warn', expect.stringMatching(/after 4012 ms of silence .* the server heard nothing of this process/)],
    ['warn', expect.stringMatching(/after 1700 ms of silence .* did not respond .* within 1500 ms/)],
    ['warn', expect.stringMatching(/after 120 ms of silence .* read ECONNRESET/)],
  ]);
});

test('the same loss three times in a row at one event is an error that names the event', () => {
  const { losses: seen, lines } = losses();
  seen.leaseLost(silence, 7n);
  seen.leaseLost(silence, 7n);
  expect(lines.map(([level]) => level)).toEqual(['warn', 'warn']);
  seen.leaseLost(silence, 7n);
  expect(lines.at(-1)).toEqual(['error', expect.stringMatching(/3 times in a row at event 7/)]);
});

test('a database that is lost three times at one event names it too; progress begins anew', () => {
  const { losses: seen, lines } = losses();
  for (const event of [7n, 7n, 8n, 8n]) seen.databaseLost('Connection terminated', event);
  expect(lines).toEqual([]);
  seen.databaseLost('Connection terminated', 8n);
  expect(lines).toEqual([
    ['error', expect.stringMatching(/the database \(Connection terminated\) 3 times in a row at event 8/)],
  ]);
});
