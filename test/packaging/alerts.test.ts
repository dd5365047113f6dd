import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/metrics.ts';
import { startService } from '../support/running-service.ts';
import { until } from '../support/service.ts';
import { evaluate, type Labels, metricsIn, type Series } from './promql.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Alert = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};
const { groups } = parse(read('packaging/prometheus/cairn.rules.yml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
type Panel = { title: string; targets: { expr: string }[] };
const dashboard = JSON.parse(read('packaging/grafana/cairn.json')) as { panels: Panel[] };
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

const MINUTE = 60;
const NOW = 7200;
/** Two hours of one sample a minute. */
const over = (value: (minute: number) => number) =>
  Array.from({ length: NOW / MINUTE + 1 }, (_, minute) => [minute * MINUTE, value(minute)] as const);
const constant = (name: string, value: number, labels: Labels = {}): Series => ({
  name,
  labels,
  samples: over(() => value),
});
const rising = (name: string, perMinute: number, labels: Labels = {}): Series => ({
  ...{ name, labels },
  samples: over(minute => minute * perMinute),
});
/** A histogram of which all observations are between two bounds. */
const histogram = (name: string, low: number, high: number): Series[] => [
  rising(`${name}_bucket`, 0, { le: String(low) }),
  rising(`${name}_bucket`, 60, { le: String(high) }),
  rising(`${name}_bucket`, 60, { le: '+Inf' }),
];

/** Series on which each alert must fire. */
const faulty: Record<string, Series[]> = {
  CairnDown: [constant('up', 0, { job: 'cairn' })],
  CairnFoldHalted: [constant('cairn_fold_halted', 1)],
  CairnFoldLagging: [constant('cairn_fold_lag_seconds', 90)],
  CairnFoldLockLost: [rising('cairn_fold_lock_losses_total', 3, { cause: 'silence' })],
  CairnFoldStalled: [constant('cairn_fold_stalled_seconds', 6)],
  CairnTipMissing: [constant('cairn_tip_missing_seconds', 61)],
  CairnTipStuck: [constant('stacks_block_height', 100)],
  CairnBlocksAwaitingParent: [constant('cairn_blocks_awaiting_parent', 2)],
  CairnBlocksIncomplete: [constant('cairn_blocks_incomplete', 1)],
  CairnEventsQuarantined: [rising('cairn_events_quarantined', 1)],
  CairnIndexHashMismatch: [rising('cairn_index_hash_mismatches', 1)],
  CairnAuditFinding: [rising('cairn_audit_findings_total', 1, { check: 'supply', explained: 'false' })],
  CairnEventAckSlow: histogram('cairn_event_ack_seconds', 0.25, 0.5),
  CairnDatabaseDown: [constant('cairn_database_up', 0)],
  CairnServerErrors: [
    rising('http_request_duration_seconds_count', 2, { status_code: '500', route: '/extended/v1/tx' }),
    rising('http_request_duration_seconds_count', 98, { status_code: '200', route: '/extended/v1/tx' }),
  ],
  CairnSlowResponses: histogram('http_request_duration_seconds', 1, 2.5),
  CairnNoHealthyNode: [
    constant('cairn_node_healthy', 0, { node: 'a' }),
    constant('cairn_node_healthy', 0, { node: 'b' }),
  ],
  CairnNodeLagging: [constant('cairn_node_lag_blocks', 9, { node: 'a' })],
  CairnNodeCallsFailing: [
    rising('cairn_node_calls_total', 1, { node: 'a', outcome: 'timeout' }),
    rising('cairn_node_calls_total', 9, { node: 'a', outcome: 'answered' }),
  ],
  CairnBroadcastsFailing: [rising('cairn_broadcasts_total', 1, { outcome: 'failed' })],
  CairnIngestSuspended: [constant('cairn_ingest_suspended', 1)],
  CairnDiskSmall: [constant('cairn_disk_free_bytes', 1e9)],
  CairnRealtimeBufferFull: [constant('cairn_realtime_buffered_bytes', 250e6)],
  CairnStreamsBehind: [constant('cairn_stream_lag_steps', 150)],
  CairnUnknownApiKeys: [rising('cairn_api_key_rejections_total', 120, { reason: 'unknown' })],
  CairnWebhookFailing: [constant('cairn_webhook_failing_seconds', 4000, { hook: 'shop' })],
  CairnWebhookBacklog: [constant('cairn_webhook_backlog_blocks', 150, { hook: 'shop' })],
  CairnPublisherFailing: [constant('cairn_publisher_failing_seconds', 400, { stream: 'CAIRN' })],
  CairnPublisherBacklog: [constant('cairn_publisher_backlog_blocks', 150, { stream: 'CAIRN' })],
  CairnMetadataPaused: [constant('cairn_metadata_paused', 1)],
};

const secondsOf = (duration = '0m') => Number(duration.slice(0, -1)) * { m: 60, h: 3600 }[duration.at(-1) as 'm' | 'h'];

test('every alert fires on a made-up series for as long as it must last', () => {
  expect(alerts.map(({ alert }) => alert)).toEqual(Object.keys(faulty));
  for (const { alert, expr, for: lasting } of alerts) {
    for (let at = NOW - secondsOf(lasting); at <= NOW; at += MINUTE) {
      expect([alert, at, evaluate(expr, faulty[alert]!, at).length]).toEqual([alert, at, 1]);
    }
  }
});

test('every alert names its line in the operations guide', () => {
  const anchors = [...read('docs/operations.md').matchAll(/^#{2,4} (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { alert, labels, annotations } of alerts) {
    const [file, anchor] = annotations.runbook.split('#');
    expect([alert, file, anchors.includes(anchor!)]).toEqual([alert, 'docs/operations.md', true]);
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
  }
});

test('the evaluator knows counters that start again, quantiles and labels', () => {
  const counter: Series = {
    name: 'c',
    labels: {},
    samples: [
      [10, 5],
      [20, 9],
      [30, 2],
      [40, 3],
    ],
  };
  expect(evaluate('increase(c[1m])', [counter], 45)).toEqual([{ labels: {}, value: 7 }]);
  expect(evaluate('rate(c[1m]) > 0.2', [counter], 45)).toHaveLength(1);
  expect(evaluate('c == 3', [counter], 45)).toHaveLength(1);
  expect(evaluate('c == 3', [counter], 1000)).toHaveLength(0);
  const [p50] = evaluate('histogram_quantile(0.5, sum by (le) (rate(h_bucket[5m])))', histogram('h', 1, 2), NOW);
  expect(p50!.value).toBeCloseTo(1.5);
  expect(evaluate('c{a!="x"} > 0', [counter], 45)).toHaveLength(1);
  expect(() => evaluate('sum(', [], 0)).toThrow('not PromQL');
  expect(() => evaluate('avg(c)', [counter], 45)).toThrow('does not know avg');
});

/** The samples of one scrape. */
function readScrape(text: string): { name: string; labels: Labels; value: number }[] {
  return text.split('\n').flatMap(line => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || line.startsWith('#')) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, text!]);
    return [{ name, labels: Object.fromEntries(pairs) as Labels, value: Number(value) }];
  });
}

test('on a healthy devnet every metric exists and every alert is silent', async t => {
  const { addresses } = await startService(t, { CAIRN_DEVNET_BLOCK_SECONDS: '1' });
  const scrape = async () => readScrape(await (await fetch(addresses.metrics!)).text());
  const heightIn = (samples: { name: string; value: number }[]) =>
    samples.find(({ name }) => name === 'stacks_block_height')!.value;
  const before = await scrape();
  for (const path of ['/extended', '/extended/v2/blocks', '/v2/info']) await fetch(`${addresses.api}${path}`);
  /** The alerts whose condition holds at the second of two scrapes, told as if they were a minute apart. */
  const holdingAt = (after: Awaited<ReturnType<typeof scrape>>): Alert[] => {
    const series = new Map<string, { name: string; labels: Labels; samples: [number, number][] }>();
    for (const [time, samples] of [
      [NOW - MINUTE, before],
      [NOW, after],
    ] as const) {
      for (const { name, labels, value } of samples) {
        const key = name + JSON.stringify(labels);
        if (!series.has(key)) series.set(key, { name, labels, samples: [] });
        series.get(key)!.samples.push([time, value]);
      }
    }
    const up: Series = { name: 'up', labels: { job: 'cairn' }, samples: [[NOW, 1]] };
    return alerts.filter(({ expr }) => evaluate(expr, [up, ...series.values()], NOW).length > 0);
  };
  // A condition that must last may hold for a moment, as while nodes are not checked yet.
  const after = await until(async () => {
    const samples = await scrape();
    const holding = holdingAt(samples);
    expect(holding.filter(alert => alert.for === undefined).map(({ alert }) => alert)).toEqual([]);
    return heightIn(samples) > heightIn(before) + 1 && holding.length === 0 ? samples : undefined;
  });

  const { registry } = createMetrics();
  const declared = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const known = new Set(['up', ...declared, ...after.map(({ name }) => name)]);
  const exists = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
  const used = [...alerts.map(({ alert, expr }) => ({ title: alert, expr })), ...panels];
  const missing = used.flatMap(({ title, expr }) =>
    metricsIn(expr)
      .filter(name => !exists(name))
      .map(name => `${title}: ${name}`),
  );
  expect(panels.length).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});
