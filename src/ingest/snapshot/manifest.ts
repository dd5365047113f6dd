import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { UsageError } from '../../errors.ts';
import type { Store } from './store.ts';

const Count = Type.Integer({ minimum: 0 });
const Id = Type.String({ pattern: '^[0-9]{1,18}$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' });

/** One object of the store: a piece of the COPY stream of a part, compressed by itself. */
const Chunk = Type.Object({
  /** Of the stored bytes; it is the name of the object too. */
  sha256: Sha256,
  stored_bytes: Count,
  /** Bytes after decompression. */
  bytes: Count,
});

/** A range of the rows of a table: one COPY stream in the binary format. */
const Part = Type.Object({ rows: Count, chunks: Type.Array(Chunk, { minItems: 1 }) });

const Table = Type.Object({
  name: Name,
  columns: Type.Array(Type.Object({ name: Name, type: Type.String() }), { minItems: 1 }),
  rows: Count,
  parts: Type.Array(Part),
});

/** Everything that a restore needs to know about a snapshot, and where its rows are. */
const Manifest = Type.Object({
  format: Type.Literal(1),
  created_at: Type.String(),
  /** Version of the program that created it. */
  program: Type.String(),
  /** Version of the PostgreSQL server that it was read from. */
  postgres: Type.String(),
  network: Type.String(),
  chain_id: Count,
  /** True if the blocks are from the simulated devnet. */
  simulated: Type.Boolean(),
  height: Type.Integer({ minimum: -1 }),
  block_hash: Type.String(),
  index_hash: Type.String(),
  /** The last folded event. */
  event_id: Id,
  /** The last logged event. */
  last_event_id: Id,
  journal_seq: Id,
  /** Events up to this one are not all in the log, as after `cairn prune`; 0 if the log is complete. */
  pruned_to: Id,
  /** The schema: all migrations that were applied. */
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Sha256 }), { minItems: 1 }),
  /** Size of the tables and indexes on disk. */
  database_bytes: Count,
  tables: Type.Array(Table),
  sequences: Type.Array(Type.Object({ table: Name, column: Name, value: Id, called: Type.Boolean() })),
});

export type Chunk = Static<typeof Chunk>;
export type Part = Static<typeof Part>;
export type SnapshotTable = Static<typeof Table>;
export type Manifest = Static<typeof Manifest>;

const Envelope = Type.Object({ manifest: Type.Object({ format: Type.Integer() }), sha256: Sha256 });
const checks = { envelope: Compile(Envelope), manifest: Compile(Manifest) };

const folder = 'snapshots';
const extension = '.json';
const objectOf = (name: string) => `${folder}/${name}${extension}`;

/** A manifest as read from a store, with the name of its snapshot and the checksum that identifies it. */
export type StoredManifest = { name: string; manifest: Manifest; sha256: string };

/** Names of the complete snapshots of a store, the newest last: names end in the time. */
export async function listSnapshots(store: Store): Promise<string[]> {
  const names = (await store.list(folder)).filter(name => name.endsWith(extension));
  const timeOf = (name: string) => name.slice(name.lastIndexOf('-') + 1);
  return names
    .map(name => name.slice(0, -extension.length))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : a < b ? -1 : 1));
}

/** Writes the manifest: from then on the snapshot is complete. */
export async function writeManifest(store: Store, manifest: Manifest): Promise<StoredManifest> {
  const time = manifest.created_at.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const name = `${manifest.network}-${manifest.height}-${time}`;
  const sha256 = hashOf(JSON.stringify(manifest));
  await store.write(objectOf(name), Buffer.from(`${JSON.stringify({ manifest, sha256 })}\n`));
  return { name, manifest, sha256 };
}

/** Reads the named snapshot, or the newest; throws if there is none, or if its manifest is damaged or of an unknown format. */
export async function readManifest(store: Store, wanted: string | undefined): Promise<StoredManifest> {
  const name = wanted ?? (await listSnapshots(store)).at(-1);
  if (name === undefined) throw new UsageError(`there is no snapshot in ${store.url}`);
  const text = await store.read(objectOf(name));
  if (text === undefined) throw new UsageError(`there is no snapshot ${name} in ${store.url}`);
  const damaged = (what: string) => new UsageError(`the manifest of the snapshot ${name} is damaged: ${what}`);
  let envelope: unknown;
  try {
    envelope = JSON.parse(text.toString('utf8'));
  } catch {
    throw damaged('it is not JSON, it may be truncated');
  }
  if (!checks.envelope.Check(envelope)) throw damaged('it is not a manifest of Cairn');
  const { manifest, sha256 } = envelope;
  if (hashOf(JSON.stringify(manifest)) !== sha256) throw damaged('its checksum does not match');
  if (manifest.format !== 1) {
    throw new UsageError(
      `the snapshot ${name} has format ${manifest.format}, which this version of Cairn does not know`,
    );
  }
  if (!checks.manifest.Check(manifest)) throw damaged('a field is missing or wrong');
  return { name, manifest, sha256 };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
