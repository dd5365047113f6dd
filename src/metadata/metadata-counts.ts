/** What the worker counts; the composition root turns it into metrics. */
export type MetadataCounts = {
  blocks(count: number): void;
  reads(result: 'read' | 'failed' | 'retried', count: number): void;
  fetches(result: string): void;
  paused(paused: boolean): void;
};
