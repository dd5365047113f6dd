import type { ServedRoute } from '../api/server.ts';
import type { Command } from './command.ts';
import { buildDisconnectedApi } from './disconnected-api.ts';

/** Every URL of the API with its methods and the file inside `src` that serves it, sorted by URL. */
export async function listRoutes(): Promise<ServedRoute[]> {
  const routes: ServedRoute[] = [];
  await buildDisconnectedApi({ onRoute: route => void routes.push(route) });
  const byUrl = new Map<string, ServedRoute>();
  for (const { methods, url, file } of routes) {
    const listed = byUrl.get(url);
    const all = new Set([...(listed?.methods ?? []), ...methods.filter(method => method !== 'HEAD')]);
    byUrl.set(url, { methods: [...all].sort(), url, file });
  }
  return [...byUrl.values()].sort((one, other) => (one.url < other.url ? -1 : 1));
}

/** The routes as a Markdown table. */
export function renderRoutes(routes: readonly ServedRoute[]): string {
  const lines = routes.map(({ methods, url, file }) => `| ${methods.join(', ')} | \`${url}\` | \`src/${file}.ts\` |`);
  return `# Routes

Each URL of the API and the file that serves it, printed by \`cairn routes\`. Settings may turn some of them off.

| Method | URL | File |
| --- | --- | --- |
${lines.join('\n')}
`;
}

export const command: Command = {
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run() {
    process.stdout.write(renderRoutes(await listRoutes()));
    return 0;
  },
};
