import { UsageError } from '../errors.ts';
import { formerNames } from './former-names.ts';
import { databaseSettings } from './groups/database.ts';
import { devnetSettings } from './groups/devnet.ts';
import { endpointsSettings } from './groups/endpoints.ts';
import { faucetsSettings } from './groups/faucets.ts';
import { listenersSettings } from './groups/listeners.ts';
import { metadataSettings } from './groups/metadata.ts';
import { nodesSettings } from './groups/nodes.ts';
import { processSettings } from './groups/process.ts';
import { publishSettings } from './groups/publish.ts';
import { realtimeSettings } from './groups/realtime.ts';
import { requestsSettings } from './groups/requests.ts';
import { sbtcSettings } from './groups/sbtc.ts';
import { serviceSettings } from './groups/service.ts';
import { webhooksSettings } from './groups/webhooks.ts';
import { defaultMemory } from './memory.ts';
import type * as is from './setting.ts';
import type { Alias, Environment, Setting } from './setting.ts';
import { adviseUnused } from './unused-settings.ts';

/** Every setting of the program: the parsing, the defaults and the table in the docs come from here. */
export const settings = {
  ...listenersSettings,
  ...databaseSettings,
  ...nodesSettings,
  ...devnetSettings,
  ...serviceSettings,
  ...requestsSettings,
  ...realtimeSettings,
  ...endpointsSettings,
  ...metadataSettings,
  ...sbtcSettings,
  ...webhooksSettings,
  ...publishSettings,
  ...faucetsSettings,
  ...processSettings,
};

type ValueOf<S> = S extends { kind: is.Kind<infer T>; optional: infer O }
  ? O extends true
    ? T | undefined
    : T
  : never;

/** Variables of the incumbent that Cairn reads, each with the settings that it sets. */
export const aliasNames: ReadonlyMap<string, readonly string[]> = Object.values(
  settings as Record<string, Setting<unknown>>,
)
  .flatMap(({ name, aliases = [] }) =>
    aliases.flatMap(alias => (typeof alias === 'string' ? [alias] : alias.names)).map(alias => ({ alias, name })),
  )
  .reduce((all, { alias, name }) => all.set(alias, [...(all.get(alias) ?? []), name]), new Map<string, string[]>());

/** The settings of one process, read once and never changed. */
export type Config = { readonly [K in keyof typeof settings]: ValueOf<(typeof settings)[K]> };

/**
 * Reads every setting; throws one UsageError with a line for each wrong value. Warnings need action by the operator. Notes list
 * settings that have no effect and need no action.
 */
export function readConfig(environment: Environment): { config: Config; warnings: string[]; notes: string[] } {
  // Compose files pass unset variables as empty text.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const errors: string[] = [];
  const unused = adviseUnused(env, new Set(aliasNames.keys()));
  const warnings = [...unknownNames(env), ...unused.warnings];
  const entries = Object.entries(settings as Record<string, Setting<unknown>>).map(([key, setting]) => {
    const given = sources(setting, env);
    const [first, ...rest] = given;
    const value = setting.kind.parse(first?.value ?? setting.fallback ?? '');
    for (const other of rest) {
      if (other.value !== first?.value) warnings.push(`${other.written} is ignored: ${first?.written} wins`);
    }
    if (first && value === undefined)
      errors.push(`${first.written} is not understood: expected ${setting.kind.accepts}`);
    return [key, first || setting.fallback !== undefined ? value : shareOf(setting, env)];
  });
  if (errors.length > 0) throw new UsageError(errors.join('\n'));
  return { config: Object.freeze(Object.fromEntries(entries)) as Config, warnings, notes: unused.notes };
}

/** The default of a setting that is a share of the memory of the process. */
function shareOf({ share }: Setting<unknown>, env: Environment): number | undefined {
  const { kind, name } = processSettings.memory;
  return share === undefined ? undefined : Math.floor((kind.parse(env[name] ?? '') ?? defaultMemory()) * share);
}

/** The values given for a setting, its own name first, then its former name, then aliases; each with its text as written. */
function sources(setting: Setting<unknown>, env: Environment): { value: string; written: string }[] {
  const former = formerNames[setting.name];
  const names: Alias[] = [setting.name, ...(former ? [former] : []), ...(setting.aliases ?? [])].map(alias =>
    typeof alias === 'string' ? { names: [alias], read: e => e[alias] } : alias,
  );
  return names.flatMap(alias => {
    const value = alias.read(env);
    if (value === undefined) return [];
    const used = alias.names.filter(name => env[name] !== undefined);
    return [{ value, written: used.map(name => (setting.secret ? name : `${name}=${env[name]}`)).join(' ') }];
  });
}

/** Warns of misspelled names, which would have no effect. */
function unknownNames(env: Environment): string[] {
  const known = new Set([
    ...Object.values(settings).map(setting => setting.name as string),
    ...Object.values(formerNames),
  ]);
  return Object.keys(env)
    .filter(name => name.startsWith('CAIRN_') && !known.has(name))
    .map(name => `${name} is not a setting of Cairn and is ignored; \`cairn settings\` lists them`);
}
