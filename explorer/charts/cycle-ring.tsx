import type { CyclePosition } from '../format/cycle.ts';
import { counted } from '../format/number.ts';

const RADIUS = 80;
const AROUND = 2 * Math.PI * RADIUS;

/** The reward cycle as a ring: what has passed, what is left, and where the prepare phase begins. */
export function CycleRing({ of }: { of: CyclePosition }) {
  const { cycle, length, prepareLength, passed, left, phase } = of;
  const share = (blocks: number) => (blocks / length) * AROUND;
  const label = `Cycle ${cycle}: ${counted(passed, 'Bitcoin block')} passed, ${left} left, in the ${phase} phase`;
  return (
    <svg class="ring" viewBox="0 0 200 200" role="img" aria-label={label}>
      <g transform="rotate(-90 100 100)" fill="none" stroke-width="18">
        <circle cx="100" cy="100" r={RADIUS} class="ring-reward" />
        <circle
          cx="100"
          cy="100"
          r={RADIUS}
          class="ring-prepare"
          stroke-dasharray={`${share(prepareLength)} ${AROUND}`}
          stroke-dashoffset={-share(length - prepareLength)}
        />
        <circle
          cx="100"
          cy="100"
          r={RADIUS - 15}
          class="ring-passed"
          stroke-width="6"
          stroke-dasharray={`${share(passed)} ${AROUND}`}
        />
      </g>
      <text x="100" y="96" text-anchor="middle" class="ring-number">
        {cycle}
      </text>
      <text x="100" y="118" text-anchor="middle" class="ring-label">
        {counted(left, 'block')} left
      </text>
    </svg>
  );
}
