#!/usr/bin/env node
// The front door of every npm script: installs and builds what is missing or stale, then runs the command.
// It needs nothing but Node.js, and is written so that an old one gets as far as the message below.
const needed = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `Cairn needs Node.js ${needed.join('.')} or newer, and this is ${process.version}: see https://nodejs.org`,
  );
  process.exit(1);
}
import('./door/commands.mjs')
  .then(({ runCommand }) => runCommand(process.argv[2], process.argv.slice(3)))
  .catch(error => {
    console.error(error instanceof Error && error.name === 'DoorError' ? error.message : error);
    process.exit(1);
  });
