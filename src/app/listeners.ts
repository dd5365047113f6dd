import type { Config } from '../config/config.ts';
import { type HttpListener, openListener } from '../http/listener.ts';
import type { Handler } from '../http/pipelines.ts';
import type { Log } from '../log.ts';

/** The HTTP ports of the service; the role `ingest` has no API port. */
export type Listeners = { metrics: HttpListener; api: HttpListener | undefined };

/** Opens the ports; `first` handles requests until the parts behind them are ready. */
export async function openListeners(config: Config, first: Handler, log: Log): Promise<Listeners> {
  const onError = (error: Error) => log.error({ err: error }, 'a connection could not be accepted');
  const metrics = await openListener({
    host: config.metricsHost,
    port: config.metricsPort,
    portSetting: 'CAIRN_METRICS_PORT',
    first,
    onError,
  });
  if (config.role === 'ingest') return { metrics, api: undefined };
  const api = await openListener({
    host: config.apiHost,
    port: config.apiPort,
    portSetting: 'CAIRN_API_PORT',
    first,
    requestTimeoutMs: config.requestTimeout * 1000,
    onError,
  }).catch(async (error: unknown) => {
    await metrics.stop(0);
    throw error;
  });
  return { metrics, api };
}
