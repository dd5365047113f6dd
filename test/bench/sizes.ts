/** The smallest size of each bench, by the test file that runs it: the figures say nothing, but the bench must still run. */
export const smallest = {
  reads: {
    api: ['--blocks', '40', '--only', 'bare', '--requests', '40'],
    capacity: ['--blocks', '40', '--processes', '1', '--requests', '200'],
    points: ['--blocks', '40', '--count', '50', '--only', 'tx_one_event,extended,path,not_modified,cached'],
    proxy: ['--rounds', '1'],
  },
  writes: {
    codec: [],
    growth: ['--blocks', '20', '--principals', '200', '--faults', 'small', '--only', 'chain,reads,rollback,faults'],
    histories: ['--histories', '1', '--seed', '1'],
    ingest: ['--blocks', '50,100', '--only', 'bulk'],
    metadata: ['--blocks', '20', '--rounds', '1', '--tokens', '5'],
    snapshot: ['--blocks', '50'],
  },
  clients: {
    cluster: ['--rate', '20', '--only', 'api process killed'],
    faults: ['--faults', '1', '--minutes', '1'],
    feeds: ['--faults', '20', '--only', 'faults'],
    realtime: ['--passes', '1'],
    soak: ['--minutes', '0.5'],
    webhooks: ['--events', '2000'],
  },
} satisfies Record<string, Record<string, string[]>>;
