// Completes package-lock.json after `npm install`: npm leaves out the builds for other platforms that it could not see,
// and `npm ci` then refuses the file on every machine. Run with `node scripts/complete-lock.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Optional packages that a package of the lock file lists but the lock file lacks. */
export function missingOptionals(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !(`${path}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Adds them with the platform from their name, so that npm installs them only there. */
export function completeLock(lock) {
  const packages = { ...lock.packages };
  for (const { name, version, dev } of missingOptionals(lock)) {
    packages[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
  }
  const [root, ...others] = Object.entries(packages);
  others.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries([root, ...others]) };
}

/** `@scope/binding-linux-arm64-musl` is for linux, arm64 and musl. */
export function platformOf(name) {
  const words = name.split('/').pop().split('-');
  const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
  const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
  const os = words.find(word => systems.includes(word));
  const cpu = words.find(word => processors.includes(word));
  const libc = words.includes('musl') ? 'musl' : words.some(word => word.startsWith('gnu')) ? 'glibc' : undefined;
  if (!cpu) throw new Error(`cannot read the platform from the package name ${name}`);
  return { cpu: [cpu], ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingOptionals(lock);
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
  console.error(`${missing.length} packages for other platforms were added to package-lock.json`);
}
