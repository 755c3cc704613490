// Loaded before a program: at each request it prints all that libraries can print, and rejects with the row that the environment names.
import { subscribe } from 'node:diagnostics_channel';
import { oddPrints } from './oddPrints.ts';

const printed = oddPrints.filter(({ title }) => !title.startsWith('a huge'));
const rejected = oddPrints.find(({ title }) => title === process.env['ODD_REJECTION']);

/** As the console is at that time: a program replaces its methods. */
function print(name: 'log' | 'info' | 'warn' | 'error', values: readonly unknown[]): void {
  globalThis.console[name](...values);
}

subscribe('http.server.request.start', () => {
  for (const name of ['log', 'info', 'warn', 'error'] as const)
    for (const row of printed) print(name, row.printed);
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- What libraries reject with isn't always an error.
  if (rejected) void Promise.reject(rejected.printed[0]);
});
