import { type HttpListener, openListener, starting } from '../http/listener.ts';
import { isStreamRequest } from '../stream/stream-response.ts';
import { checkPorts, portsOf } from './port-check.ts';
import type { Start } from './start.ts';

/** The HTTP ports of the service; the role `ingest` has no API port. */
export type Ports = { metrics: HttpListener; api: HttpListener | undefined; stop(): Promise<void> };

/** Opens the ports. Until the parts behind them are ready, they respond with 503 and the step of the start. */
export async function openPorts({ config, log, progress }: Start): Promise<Ports> {
  await checkPorts(portsOf(config));
  const first = starting(() => progress.step);
  const onError = (error: Error) => log.error({ err: error }, 'a connection could not be accepted');
  const metrics = await openListener({
    host: config.metricsHost,
    port: config.metricsPort,
    portSetting: 'CAIRN_METRICS_PORT',
    first,
    onError,
  });
  const open = async () =>
    await openListener({
      host: config.apiHost,
      port: config.apiPort,
      portSetting: 'CAIRN_API_PORT',
      first,
      requestTimeoutMs: config.requestTimeout * 1000,
      mayTake: isStreamRequest,
      onError,
    }).catch(async (error: unknown) => {
      await metrics.stop(0);
      throw error;
    });
  const api = config.role === 'ingest' ? undefined : await open();
  return {
    metrics,
    api,
    async stop() {
      await api?.stop((config.stopTimeout * 1000) / 2);
      await metrics.stop(1000);
    },
  };
}
