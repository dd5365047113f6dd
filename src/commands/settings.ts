import { settings } from '../config.ts';
import type { Setting } from '../setting.ts';
import type { Command } from './command.ts';

const all: Setting<unknown>[] = Object.values(settings);

/** The settings as the table that docs/operations.md holds. */
export function settingsTable(): string {
  const rows = all.map(setting => {
    const fallback = setting.fallback ? `\`${setting.fallback}\`` : (setting.unset ?? 'none');
    const aliases = aliasNames(setting).map(name => `\`${name}\``);
    const also = aliases.length > 0 ? ` Also: ${aliases.join(', ')}.` : '';
    return `| \`${setting.name}\` | ${fallback} | ${setting.about} Accepts ${setting.kind.accepts}.${also} |`;
  });
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function settingsText(): string {
  return all
    .map(setting => {
      const fallback = setting.fallback || (setting.unset ?? 'none');
      const aliases = aliasNames(setting);
      const also = aliases.length > 0 ? `\n    also: ${aliases.join(', ')}` : '';
      return `${setting.name}\n    ${setting.about}\n    accepts: ${setting.kind.accepts}\n    default: ${fallback}${also}`;
    })
    .join('\n');
}

const aliasNames = (setting: Setting<unknown>) =>
  (setting.aliases ?? []).flatMap(alias => (typeof alias === 'string' ? [alias] : alias.names));

export const command: Command = {
  about: 'Print every setting, its default and what it accepts.',
  usage: '',
  flags: { markdown: { type: 'boolean', about: 'As the table of docs/operations.md.' } },
  positionals: { min: 0, max: 0 },
  async run({ flags }) {
    process.stdout.write(`${flags.markdown ? settingsTable() : settingsText()}\n`);
    return 0;
  },
};
