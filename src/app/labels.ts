import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type Labels, parseLabels } from '../read/names/labels.ts';

const MAX_BYTES = 20_000_000;

/** The labels of the operator; a file that is none ends the start with what is wrong. */
export function readLabels({ labels: path }: Pick<Config, 'labels'>): Labels {
  if (path === undefined) return new Map();
  const read = parse(path);
  if ('problem' in read) throw new UsageError(`CAIRN_LABELS: ${path} cannot be used: ${read.problem}`);
  return read.labels;
}

function parse(path: string) {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  return bytes.length > MAX_BYTES
    ? { problem: `it has more than ${MAX_BYTES} bytes` }
    : parseLabels(bytes.toString('utf8'));
}
