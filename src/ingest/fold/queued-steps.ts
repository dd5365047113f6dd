import { sizeOf } from '../log/event-reader.ts';
import type { SourceTip } from '../tree/burn-branch.ts';
import type { Plan, Step } from './plan.ts';

const maxBytes = 24 << 20;
const maxSteps = 2_000;

/** Steps that wait to be written in one transaction. */
export class QueuedSteps {
  readonly #maxBlocks: number;
  #steps: Step[] = [];
  #sources = new Map<string, SourceTip>();
  #blocks = 0;
  #bytes = 0;

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
  }

  get blocks(): number {
    return this.#blocks;
  }

  get full(): boolean {
    return this.#blocks >= this.#maxBlocks || this.#bytes >= maxBytes || this.#steps.length >= maxSteps;
  }

  add(step: Step, burnSources: readonly SourceTip[] = []): void {
    this.#steps.push(step);
    this.#bytes += sizeOf(step.event);
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
