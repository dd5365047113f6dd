import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** How far the start of the service is. Readiness checks report the step. */
export class Progress {
  step = 'opening the ports';
  #halted = false;

  /** Begins the next step; throws if a stop was requested. */
  next(step: string): void {
    if (this.#halted) throw new Error('stopped while starting');
    this.step = step;
  }

  /** Ends the start at its next step. */
  halt(): void {
    this.#halted = true;
  }

  readonly halted = (): boolean => this.#halted;
}

/** What every part of the service is started with. */
export type Start = {
  config: Config;
  log: Log;
  metrics: Metrics;
  progress: Progress;
  /** Called with an error after which the service cannot go on. */
  onFailure: (error: Error) => void;
};
