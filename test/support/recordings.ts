import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Network, networkOf } from '@cairn-stacks/codec/network';
import { beforeEach, type TestContext } from 'vitest';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { findChainId } from '../../src/ingest/replay/recorded-chain.ts';
import { LogSink, replayFile } from '../../src/ingest/replay/replay.ts';
import { identifyFile } from '../../src/ingest/replay/replay-mark.ts';
import type { TestDatabase } from './database.ts';
import { foldAll } from './service.ts';

const folder = fileURLToPath(new URL('../../../shared/conformance/datasets/', import.meta.url));

/** Recorded chains that stand beside the project and are no part of it; none where it stands alone. */
export const recordings: readonly string[] = existsSync(folder) ? readdirSync(folder) : [];

/** Skips a test, with its reason, where a recording that it needs is not there. */
export function needRecording(t: TestContext, found: boolean = recordings.length > 0): void {
  t.skip(!found, 'recordings of nodes are not beside the project');
}

/** The same for all tests of a file or a `describe`. */
export const needRecordings = (found?: boolean) => beforeEach(t => needRecording(t, found));

/** The recordings as cases of a test; one that stands for all where there are none, so that it is counted as skipped. */
export const casesOf = (names: readonly string[]) => (names.length > 0 ? names : ['a recording']);

/** A file of a recorded chain. */
export const recordedFile = (name: string, file: string) => `${folder}${name}/${file}`;

/** The events that nodes posted. */
export const recordedEvents = (name: string) => recordedFile(name, 'events.tsv.gz');

/** Replays a recorded chain into an empty database; gives its network. */
export async function foldRecording(db: TestDatabase, name: string): Promise<Network> {
  const path = recordedEvents(name);
  const log = new EventLog(db.sql);
  await replayFile({ sql: db.sql, file: await identifyFile(path), sink: new LogSink(db.sql, log) });
  await log.close();
  const network = networkOf((await findChainId(path))!);
  await foldAll(db, [], { network });
  return network;
}

const live = fileURLToPath(new URL('../../../shared/conformance/live/', import.meta.url));

/** Recordings of live nodes that stand beside the project. */
export const liveRecordings: readonly string[] = existsSync(live)
  ? readdirSync(live).filter(name => name.endsWith('.tsv.gz'))
  : [];

export const liveRecording = (name: string) => `${live}${name}`;
