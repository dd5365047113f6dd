import { aliasNames, settings } from '../config/config.ts';
import { formerNames } from '../config/former-names.ts';
import type { Setting } from '../config/setting.ts';
import { unusedSettings } from '../config/unused-settings.ts';
import type { Command } from './command.ts';

const all: Setting<unknown>[] = Object.values(settings);

/** The table of settings in docs/operations.md. */
export function settingsTable(): string {
  const rows = all.map(setting => {
    const fallback = setting.fallback ? `\`${setting.fallback}\`` : (setting.unset ?? 'none');
    const aliases = aliasesOf(setting).map(name => `\`${name}\``);
    const also = aliases.length > 0 ? ` Also: ${aliases.join(', ')}.` : '';
    return `| \`${setting.name}\` | ${fallback} | ${setting.about} Accepts ${setting.kind.accepts}.${also} |`;
  });
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function settingsText(): string {
  return all
    .map(setting => {
      const fallback = setting.fallback || (setting.unset ?? 'none');
      const aliases = aliasesOf(setting);
      const also = aliases.length > 0 ? `\n    also: ${aliases.join(', ')}` : '';
      return `${setting.name}\n    ${setting.about}\n    accepts: ${setting.kind.accepts}\n    default: ${fallback}${also}`;
    })
    .join('\n');
}

const aliasesOf = ({ name, aliases = [] }: Setting<unknown>) =>
  [formerNames[name] ?? [], ...aliases].flatMap(alias =>
    typeof alias === 'object' && 'names' in alias ? alias.names : alias,
  );

/** The table of the incumbent's settings in docs/migrating.md. */
export function incumbentTable(): string {
  const aliases = [...aliasNames].map(([name, ours]) => [
    name,
    `read as ${ours.map(own => `\`${own}\``).join(' and ')}`,
  ]);
  const unused = unusedSettings.flatMap(({ names, instead, agrees, harmless }) => {
    const silent = agrees ? ' Not logged when its value requests exactly that.' : '';
    return names.map(name => [name, `${harmless ? 'not needed' : 'no effect'}: ${instead}.${silent}`]);
  });
  const rows = [...aliases, ...unused].map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ['| Setting of the Stacks Blockchain API | Cairn |', '|---|---|', ...rows.sort()].join('\n');
}

export const command: Command = {
  usage: '',
  flags: {
    markdown: { type: 'boolean', about: 'Print the table of docs/operations.md.' },
    incumbent: {
      type: 'boolean',
      about: 'Print what Cairn does with each setting of the Stacks Blockchain API, as a table.',
    },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags }) {
    const text = flags.incumbent ? incumbentTable() : flags.markdown ? settingsTable() : settingsText();
    process.stdout.write(`${text}\n`);
    return 0;
  },
};
