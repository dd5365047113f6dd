// Creates or restores a snapshot in a process of its own that stops in the middle, so that a test can kill it there.
import { createSnapshot } from '../../dist/ingest/snapshot/create.js';
import { FolderStore } from '../../dist/ingest/snapshot/folder-store.js';
import { readManifest } from '../../dist/ingest/snapshot/manifest.js';
import { restoreSnapshot } from '../../dist/ingest/snapshot/restore.js';

const { action, url, folder, after, ...options } = JSON.parse(process.argv[2]);
const store = new FolderStore(folder);
const method = action === 'create' ? 'write' : 'read';
const original = store[method].bind(store);
const snapshot = action === 'restore' ? await readManifest(store, undefined) : undefined;
let calls = 0;
store[method] = async (...args) => {
  if (++calls <= after) return await original(...args);
  console.log('stalled');
  await new Promise(() => setInterval(() => {}, 1000));
};
if (action === 'create') await createSnapshot({ url, store, ...options });
else await restoreSnapshot({ url, store, snapshot, verify: false, ...options });
