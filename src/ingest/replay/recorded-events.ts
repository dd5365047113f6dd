import { isMessage } from '../../node/json.ts';
import { escapeCopy, needsEscape, unescapeCopy } from './copy-text.ts';
import { joined, type Line, RecordedFileError, readLines } from './recorded-lines.ts';

/** A line of a recorded stream: four columns, tab-separated, as PostgreSQL COPY writes them. */
export type RecordedEvent = {
  /** Its position in the file. */
  line: number;
  end: number;
  /** The id column, if it has one. */
  id: bigint | undefined;
  /** To the microsecond, in a form PostgreSQL reads. */
  at: string;
  path: string;
  body: Buffer;
};

/** An event whose body is still in the parts that were read: one of a large event is not copied. */
export type RecordedParts = Omit<RecordedEvent, 'body'> & { parts: Buffer[]; size: number };

/** The last event that was used: reading goes on behind it. */
export type Place = { line: number; end: number; id: bigint | undefined };

export type ReadOptions = {
  after?: Place;
  maxLineBytes?: number;
  /** Called with the number of bytes of the file that have been read. */
  onRead?: (fileBytes: number) => void;
};

/** Reads TSV or TSV.gz in order; the same id twice in a row is given once. */
export async function* readRecordedEvents(file: string, options: ReadOptions = {}): AsyncGenerator<RecordedEvent> {
  for await (const { parts, size, ...event } of readRecordedParts(file, options)) {
    yield { ...event, body: joined(parts, size) };
  }
}

/** Like `readRecordedEvents`, with bodies in parts. */
export async function* readRecordedParts(file: string, options: ReadOptions = {}): AsyncGenerator<RecordedParts> {
  const { after, onRead, maxLineBytes = 1 << 30 } = options;
  let lastId = after?.id;
  for await (const line of readLines(file, { maxLineBytes, ...(after && { after }), ...(onRead && { onRead }) })) {
    const event = readLine(file, line);
    if (event === 'end') return;
    if (event === undefined || (event.id !== undefined && event.id === lastId)) continue;
    lastId = event.id;
    yield event;
  }
}

/** A line for `readRecordedEvents`, with its newline. */
export function formatRecordedEvent(event: { id: bigint; at: string; path: string; body: Buffer }): Buffer {
  const path = escapeCopy(Buffer.from(event.path));
  return Buffer.concat([Buffer.from(`${event.id}\t${event.at}\t`), path, TAB, formatBody(event.body), NEWLINE]);
}

const TAB = Buffer.from('\t');
const NEWLINE = Buffer.from('\n');
const NULL = Buffer.from('\\N');
const BACKSLASH = 0x5c;

/**
 * Uses letter escapes if the body is JSON. If it is not, a reader could mistake the escaped text for the body of a file that
 * was written without escapes; numeric escapes are never valid JSON.
 */
function formatBody(body: Buffer): Buffer {
  if (!needsEscape(body)) return body;
  return escapeCopy(body, isMessage(body) ? 'letters' : 'numeric');
}

/** Reads a line; an error also names the byte at which it begins. */
function readLine(file: string, line: Line): RecordedParts | 'end' | undefined {
  try {
    return parseLine(file, line);
  } catch (error) {
    if (!(error instanceof RecordedFileError)) throw error;
    const start = line.end - line.size - (line.ended ? 1 : 0);
    throw new RecordedFileError(`${error.message} (the line begins at byte ${start})`, { cause: error });
  }
}

function parseLine(file: string, line: Line): RecordedParts | 'end' | undefined {
  const parts = trimmed(line);
  const row = parts[0]!;
  if (parts.length === 1 && row.length === 0) return undefined;
  if (parts.length === 1 && row.length === 2 && row.equals(END_OF_COPY)) return 'end';
  const where = `${file}: line ${line.line}`;
  const [id, at, path, payload] = columnsOf(row);
  if (!id || !at || !path || !payload) {
    if (!line.ended) throw cutOff(where);
    throw new RecordedFileError(`${where} has fewer than four columns separated by tabs`);
  }
  const body = readBody([payload, ...parts.slice(1)]);
  if (!line.ended && !isMessage(joined(body))) throw cutOff(where);
  return {
    line: line.line,
    end: line.end,
    id: parseId(id, where),
    at: parseTime(at, where),
    path: parsePath(path, where),
    parts: body,
    size: body.reduce((sum, part) => sum + part.length, 0),
  };
}

/** The parts of a line without a byte order mark and a carriage return; the first one holds all columns but the end of the last. */
function trimmed({ parts: [first, ...rest], line }: Line): Buffer[] {
  let row = first!;
  // What was read may end within the first columns, of which none is long.
  while (rest.length > 0 && row.length < columnBytes) row = Buffer.concat([row, rest.shift()!]);
  if (line === 1 && row.subarray(0, 3).equals(BYTE_ORDER_MARK)) row = row.subarray(3);
  const parts = [row, ...rest];
  const last = parts.at(-1)!;
  if (last.at(-1) === 0x0d) parts[parts.length - 1] = last.subarray(0, -1);
  return parts;
}

/** More than the columns before the body have together. */
const columnBytes = 64 << 10;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const END_OF_COPY = Buffer.from('\\.');
const cutOff = (where: string) => new RecordedFileError(`${where} is cut off: the file ends in the middle of it`);

/** The fourth column is all that is left: a file written without escapes may have tabs in it. */
function columnsOf(row: Buffer): (Buffer | undefined)[] {
  const first = row.indexOf(9);
  const second = first < 0 ? -1 : row.indexOf(9, first + 1);
  const third = second < 0 ? -1 : row.indexOf(9, second + 1);
  if (third < 0) return [];
  return [
    row.subarray(0, first),
    row.subarray(first + 1, second),
    row.subarray(second + 1, third),
    row.subarray(third + 1),
  ];
}

/** Some files were written without the escapes of COPY: a line that is JSON only without unescaping is taken as it is. */
function readBody(parts: Buffer[]): Buffer[] {
  if (!parts.some(part => part.includes(BACKSLASH))) return parts;
  const payload = joined(parts);
  if (payload.equals(NULL)) return [Buffer.alloc(0)];
  const body = unescapeCopy(payload);
  return isMessage(body) || !isMessage(payload) ? [body] : [payload];
}

function parseId(column: Buffer, where: string): bigint | undefined {
  const text = column.toString('latin1');
  if (text === '\\N') return undefined;
  if (!/^-?\d{1,18}$/.test(text)) throw new RecordedFileError(`${where}: the id ${quote(text)} is not a number`);
  return BigInt(text);
}

function parsePath(column: Buffer, where: string): string {
  const path = unescapeCopy(column).toString();
  if (!path.startsWith('/'))
    throw new RecordedFileError(`${where}: the path ${quote(path)} does not begin with a slash`);
  return path;
}

const TIME =
  /^((?!0000)\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,6})?\d*(?:Z|([+-](?:0\d|1[0-5]))(?::?([0-5]\d))?)?$/;

function parseTime(column: Buffer, where: string): string {
  const text = column.toString('latin1');
  const [match, day, time, fraction = '', hours = '+00', minutes = '00'] = TIME.exec(text) ?? [];
  // The calendar of Date is lenient with days, so it must give the same day back.
  const ms = match ? Date.parse(`${day}T${time}Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) {
    throw new RecordedFileError(`${where}: the time ${quote(text)} is not understood`);
  }
  return `${day} ${time}${fraction}${hours}:${minutes}`;
}

const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
