import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { HistoryPlace } from '../filters/steps-queries.ts';
import { atBlockQuery } from '../pages/at-block-params.ts';

const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const mediaTypes: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Parameters of every export. */
export const exportQuery = {
  format: Type.Optional(
    Type.Enum([...exportFormats], {
      description:
        'CSV with a header line, or one JSON object on each line. It takes precedence over `Accept`. Default: `csv`.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,10}:[0-9]{1,5}:(-1|[0-9]{1,10})$',
      description: 'The `cursor` of a line: the export goes on after it. Name its block in `at_block`, too.',
    }),
  ),
  ...atBlockQuery,
};

const ExportQuery = Type.Object(exportQuery);

/** The format that a request names; of several types in `Accept` the first. */
export function formatOf({ format }: Static<typeof ExportQuery>, accept: string | undefined): ExportFormat {
  if (format !== undefined) return format;
  const types = (accept ?? '').split(',').map(type => type.split(';')[0]!.trim().toLowerCase());
  const named = types.find(type => type === mediaTypes.csv || type === mediaTypes.ndjson);
  return named === mediaTypes.ndjson ? 'ndjson' : 'csv';
}

/** Widest values of the parts of a place. */
const widest = [2_147_483_647, 32_767, 2_147_483_647] as const;

/** The place after which an export goes on. */
export function placeAfter({ after }: Static<typeof ExportQuery>): HistoryPlace | undefined {
  if (after === undefined) return undefined;
  const parts = after.split(':').map(Number);
  if (parts.some((part, i) => part > widest[i]!)) throw badRequest('querystring/after: value out of range');
  const [height = 0, place = 0, eventIndex = 0] = parts;
  return { height, place, eventIndex };
}
