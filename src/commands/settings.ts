import { aliasNames, settings } from '../config/config.ts';
import type { Setting } from '../config/setting.ts';
import { unusedSettings } from '../config/unused-settings.ts';
import type { Command } from './command.ts';

const all: Setting<unknown>[] = Object.values(settings);

/** The settings as the table that docs/operations.md holds. */
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

const aliasesOf = (setting: Setting<unknown>) =>
  (setting.aliases ?? []).flatMap(alias => (typeof alias === 'string' ? [alias] : alias.names));

/** What becomes of each setting of the incumbent, as the table that docs/migrating.md holds. */
export function incumbentTable(): string {
  const aliases = [...aliasNames].map(([name, ours]) => [
    name,
    `read as ${ours.map(own => `\`${own}\``).join(' and ')}`,
  ]);
  const unused = unusedSettings.flatMap(({ names, instead, agrees, harmless }) => {
    const silent = agrees ? ' Nothing is logged where its value asks for just that.' : '';
    return names.map(name => [name, `${harmless ? 'not needed' : 'no effect'}: ${instead}.${silent}`]);
  });
  const rows = [...aliases, ...unused].map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ['| Setting of the Stacks Blockchain API | Cairn |', '|---|---|', ...rows.sort()].join('\n');
}

export const command: Command = {
  about: 'Print every setting, its default and what it accepts.',
  usage: '',
  flags: {
    markdown: { type: 'boolean', about: 'As the table of docs/operations.md.' },
    incumbent: { type: 'boolean', about: 'What becomes of each setting of the Stacks Blockchain API, as a table.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags }) {
    const text = flags.incumbent ? incumbentTable() : flags.markdown ? settingsTable() : settingsText();
    process.stdout.write(`${text}\n`);
    return 0;
  },
};
