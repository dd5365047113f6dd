import type { Panel } from '../growth-plot.ts';

/** What `growth` draws. */
export const growthPanels: Panel[] = [
  {
    title: 'CPU of a block in a bulk load, ms',
    lines: [
      { key: 'bulk_cpu_ms_per_block', label: 'service', color: '#1b7f5c' },
      { key: 'bulk_db_cpu_ms_per_block', label: 'database', color: '#2456a6' },
    ],
    bars: [
      { value: 1.2, label: 'goal of the service' },
      { value: 0.6, label: 'goal of the database' },
    ],
  },
  {
    title: 'largest resident size of a bulk load, MB',
    lines: [{ key: 'bulk_rss_mb', label: 'replay', color: '#8a3fa0' }],
    bars: [{ value: 350, label: 'goal' }],
  },
  {
    title: 'stored bytes for each byte of events',
    lines: [
      { key: 'db_bytes_per_event_byte', label: 'log and tables', color: '#8a3fa0' },
      { key: 'tables_bytes_per_event_byte', label: 'tables with indexes', color: '#b5531c' },
    ],
    bars: [{ value: 1, label: 'goal of both' }],
  },
  {
    title: 'reads and a reorganization of ten blocks, ms',
    lines: [
      { key: 'rollback_10_ms', label: 'ten blocks back', color: '#b5531c' },
      { key: 'contract_filter_ms', label: 'by contract', color: '#1b7f5c' },
      { key: 'search_ms', label: 'search', color: '#2456a6' },
      { key: 'transaction_history_ms', label: 'history', color: '#8a3fa0' },
    ],
    bars: [{ value: 20, label: 'goal of reads' }],
  },
];
