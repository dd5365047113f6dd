import type { SourceTip } from '../tree/burn-view.ts';
import type { Plan, Step } from './plan.ts';

const mostBytes = 24 << 20;
const mostSteps = 2_000;

/** Steps that wait to be written in one transaction. */
export class GatheredSteps {
  readonly #mostBlocks: number;
  #steps: Step[] = [];
  #sources = new Map<string, SourceTip>();
  #blocks = 0;
  #bytes = 0;

  constructor(mostBlocks: number) {
    this.#mostBlocks = mostBlocks;
  }

  get blocks(): number {
    return this.#blocks;
  }

  get full(): boolean {
    return this.#blocks >= this.#mostBlocks || this.#bytes >= mostBytes || this.#steps.length >= mostSteps;
  }

  add(step: Step, burnSources: readonly SourceTip[] = []): void {
    this.#steps.push(step);
    this.#bytes += step.event.body.length;
    if (step.kind === 'block') this.#blocks++;
    for (const tip of burnSources) this.#sources.set(tip.source, tip);
  }

  /** The plan that writes them; undefined where there are none. */
  take(): Plan | undefined {
    if (this.#steps.length === 0) return undefined;
    const plan = { steps: this.#steps, burnSources: [...this.#sources.values()] };
    this.#steps = [];
    this.#sources = new Map();
    this.#blocks = 0;
    this.#bytes = 0;
    return plan;
  }
}
