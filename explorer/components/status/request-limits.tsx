import type { RequestLimits } from '../../api/schema.ts';
import { formatBytes, formatCount } from '../../format/number.ts';
import { Facts } from '../facts.tsx';

/** What each client may request. */
export function RequestLimitsView({ of: { rate, max_in_flight, body_limit } }: { of: RequestLimits }) {
  return (
    <>
      <Facts
        of={[
          rate !== null && ['Each client', `${formatCount(rate.units_per_second)} units a second`],
          rate !== null && ['At once', `up to ${formatCount(rate.burst)} units`],
          rate !== null && rate.max_open !== null && ['Open requests of a client', formatCount(rate.max_open)],
          rate !== null && ['Refused since the start', formatCount(rate.refused)],
          ['Requests worked on at once', formatCount(max_in_flight)],
          ['Largest request', formatBytes(body_limit)],
        ]}
      />
      <p class="soft">
        {rate === null
          ? 'Clients are not limited.'
          : `A request costs one unit, and one more for each ${rate.ms_per_unit} ms of work.`}
      </p>
    </>
  );
}
