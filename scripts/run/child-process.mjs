import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program with the output and signals of this process and returns its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const handlers = forwarded.map(signal => [signal, () => child.kill(signal)]);
    for (const [signal, handler] of handlers) process.on(signal, handler);
    const removeHandlers = () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
    child.once('error', error => {
      removeHandlers();
      reject(error);
    });
    child.once('close', (code, signal) => {
      removeHandlers();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Runs a program and returns its exit code and standard output; standard error is inherited. */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
    const chunks = [];
    child.stdout.on('data', chunk => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', code => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
