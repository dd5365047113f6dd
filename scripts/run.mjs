#!/usr/bin/env node
// Entry point of every npm script: installs and builds what is missing or outdated, then runs the command.
// It needs only Node.js. Its syntax is old enough that an outdated Node.js can print the message below.
const needed = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(`Cairn needs Node.js ${needed.join('.')} or newer; this is ${process.version}. See https://nodejs.org`);
  process.exit(1);
}
import('./run/commands.mjs')
  .then(({ runCommand }) => runCommand(process.argv[2], process.argv.slice(3)))
  .catch(error => {
    console.error(error instanceof Error && error.name === 'CommandError' ? error.message : error);
    process.exit(1);
  });
