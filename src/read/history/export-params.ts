import { type Static, Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { type HistoryPlace, outermost } from '../filters/steps-queries.ts';
import { atBlockQuery } from '../pages/at-block-params.ts';
import { holderPattern } from '../tokens/ranked-holder-schema.ts';

const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const mediaTypes: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Parameters of every export, but for the place after which it goes on. */
const anyExportQuery = {
  format: Type.Optional(
    Type.Enum([...exportFormats], {
      description:
        'CSV with a header line, or one JSON object on each line. It takes precedence over `Accept`. Default: `csv`.',
    }),
  ),
  ...atBlockQuery,
};

const After = (pattern: string) =>
  Type.Optional(
    Type.String({
      pattern,
      description: 'The `cursor` of a line: the export goes on after it. Name its block in `at_block`, too.',
    }),
  );

/** Parameters of exports whose lines are in the order of the chain. */
export const exportQuery = { ...anyExportQuery, after: After('^[0-9]{1,10}:[0-9]{1,5}:(-1|[0-9]{1,10})$') };

/** Parameters of exports of holders. */
export const holderExportQuery = { ...anyExportQuery, after: After(holderPattern) };

const ExportQuery = Type.Object(exportQuery);

/** The format that a request names; of several types in `Accept` the first. */
export function formatOf({ format }: { format?: ExportFormat }, accept: string | undefined): ExportFormat {
  if (format !== undefined) return format;
  const types = (accept ?? '').split(',').map(type => type.split(';')[0]!.trim().toLowerCase());
  const named = types.find(type => type === mediaTypes.csv || type === mediaTypes.ndjson);
  return named === mediaTypes.ndjson ? 'ndjson' : 'csv';
}

/** Widest values of the parts of a place. */
const widest = [2_147_483_647, 32_767, 2_147_483_647] as const;

/** The place after which an export goes on; that before everything without one. */
export function placeAfter({ after }: Static<typeof ExportQuery>): HistoryPlace {
  if (after === undefined) return outermost.oldest;
  const parts = after.split(':').map(Number);
  if (parts.some((part, i) => part > widest[i]!)) throw badRequest('querystring/after: value out of range');
  const [height = 0, place = 0, eventIndex = 0] = parts;
  return { height, place, eventIndex };
}
