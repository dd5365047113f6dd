import { openDatabase, untilReachable } from '../app/database.ts';
import { auditAll } from '../audit/audit.ts';
import { countIncomplete } from '../audit/completeness.ts';
import { unknownParts } from '../audit/finding.ts';
import { compareWithNode } from '../audit/node-accounts.ts';
import { readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { Progress } from './progress.ts';
import { verifyRosetta } from './verify-rosetta.ts';

export const command: Command = {
  usage: '',
  flags: {
    node: { type: 'string', value: 'URL', about: 'Also compare balances with this node, at a common block.' },
    sample: { type: 'string', value: 'N', about: 'Number of accounts to compare with the node (default 100).' },
    rosetta: { type: 'boolean', about: 'Also compare the Rosetta operations of every block with the balances.' },
    json: { type: 'boolean', about: 'Print findings as JSON lines.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const sample = Number(flags.sample ?? 100);
    if (!Number.isSafeInteger(sample) || sample < 1)
      throw new UsageError('--sample is a number of accounts, at least 1');
    const { config } = readConfig(env);
    const log = createLog({ level: 'warn', format: config.logFormat });
    const database = await openDatabase(config, log);
    const sql = connect(database.url, { max: 4, name: 'cairn verify', readOnly: true });
    let progress: Progress | undefined;
    try {
      await untilReachable(sql, log, () => false);
      const findings = await auditAll(sql, ({ height, to }) => {
        progress ??= new Progress({ label: 'verifying', unit: 'blocks', total: to });
        progress.update(height, height);
      });
      progress?.finish();
      progress = undefined;
      if (flags.rosetta === true) findings.push(...(await verifyRosetta(sql)));
      if (typeof flags.node === 'string') {
        const differences = await compareWithNode(sql, flags.node, sample);
        const reason = (await countIncomplete(sql)).count > 0 ? { reason: unknownParts } : {};
        findings.push(...differences.map(finding => ({ ...reason, ...finding })));
      }
      for (const finding of findings) {
        const { check, subject, message, reason } = finding;
        const line = `${reason ? 'explained' : 'FAULT'}: ${check}: ${subject}: ${message}${reason ? ` (${reason})` : ''}`;
        process.stdout.write(`${flags.json === true ? JSON.stringify(finding) : line}\n`);
      }
      const faults = findings.filter(f => f.reason === undefined).length;
      process.stderr.write(`${faults} faults, ${findings.length - faults} explained findings\n`);
      const incomplete = await countIncomplete(sql);
      if (incomplete.count > 0) process.stderr.write(`${describeIncomplete(incomplete)}\n`);
      return faults > 0 ? 1 : incomplete.count > 0 ? 3 : 0;
    } finally {
      progress?.finish();
      await sql.end({ timeout: 5 });
      await database.stop();
    }
  },
};

type Incomplete = Awaited<ReturnType<typeof countIncomplete>>;

const describeIncomplete = ({ count, heights, unknown }: Incomplete) =>
  `INCOMPLETE: ${count} blocks (${heights.join(', ')}${count > heights.length ? ', …' : ''}) were fetched from a node; ` +
  `unknown of them: ${unknown.join(', ')}`;
