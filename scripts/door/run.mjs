import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program to its end with our output and signals, and gives back its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const handlers = forwarded.map(signal => [signal, () => child.kill(signal)]);
    for (const [signal, handler] of handlers) process.on(signal, handler);
    const settle = () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    };
    child.once('error', error => {
      settle();
      reject(error);
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Runs a program and gives back its exit code and standard output; its errors are shown. */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
    const chunks = [];
    child.stdout.on('data', chunk => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', code => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
