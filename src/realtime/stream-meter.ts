import type { Metrics } from '../metrics.ts';
import type { Streams } from '../stream/streams.ts';
import type { StepSource } from './hub.ts';

export type StreamMetric = 'streamsOpen' | 'streamMessages' | 'streamsEnded' | 'streamLag';

/** Sets the metrics of streams to what they did since the last call. */
export function streamMeter(streams: Streams, tip: StepSource, metrics: Pick<Metrics, StreamMetric>): () => void {
  let before = streams.report;
  return () => {
    const { report } = streams;
    const open = Object.entries(report.open);
    for (const [transport, count] of open) metrics.streamsOpen.set({ transport }, count);
    metrics.streamMessages.inc(report.messages - before.messages);
    for (const reason of ['slow', 'stopping', 'failed'] as const)
      metrics.streamsEnded.inc({ reason }, report.ended[reason] - before.ended[reason]);
    const isRead = open.some(([, count]) => count > 0) && tip.current !== undefined && report.position !== null;
    metrics.streamLag.set(isRead ? Math.max(tip.current!.seq - report.position!, 0) : 0);
    before = report;
  };
}
