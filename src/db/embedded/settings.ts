import { totalmem } from 'node:os';

/** Settings of the embedded server, written to a file that `alter system` can still override. */
export function serverSettings(memoryBytes = totalmem()): Record<string, string> {
  const megabytes = Math.floor(memoryBytes / 2 ** 20);
  return {
    max_connections: '60',
    shared_buffers: megabytes < 4096 ? '128MB' : '256MB',
    effective_cache_size: `${Math.max(256, Math.floor(megabytes / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    jit: 'off',
    // An embedded server has no replica; minimal lets a rebuild fill its new tables without writing them to the log.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    wal_compression: 'off',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // The client receives errors of statements, and logs them.
    log_min_error_statement: 'panic',
    cluster_name: 'cairn',
  };
}

/** The text of a PostgreSQL configuration file. */
export function renderSettings(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return ['# Written at each start; override with "alter system set …".', ...lines, ''].join('\n');
}
