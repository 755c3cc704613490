// The command line as a process.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JsonValue, parseJson } from '../../src/base/json.ts';
import { findLedger } from '../../src/program/ledgerPath.ts';
import type { Finished } from '../service/process/program.ts';

export const commandLinePath = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

type Variables = Readonly<Record<string, string>>;

export interface CommandLine {
  readonly environment: Variables;
  /** The file of the request limit. */
  readonly ledgerPath: string;
  /** variables: replace those of the environment. */
  readonly start: (words: readonly string[], variables?: Variables) => ChildProcess;
  readonly run: (...words: string[]) => Promise<Finished>;
  /** Runs a command with --json, which must end with this code and one value on stdout. */
  readonly json: (code: number, ...words: string[]) => Promise<JsonValue>;
}

/** A command line that works in a folder, keeps its ledger there, and asks a service. always: stands behind the words of each command. */
export function createCommandLine(
  folder: string,
  baseUrl: string,
  key: string,
  ...always: readonly string[]
): CommandLine {
  const environment = {
    WORKFLOW_BASE_URL: baseUrl,
    WORKFLOW_API_KEY: key,
    // Where the ledger is made.
    XDG_CONFIG_HOME: join(folder, 'config'),
    APPDATA: join(folder, 'config'),
    HOME: folder,
  };
  const start = (words: readonly string[], variables: Variables = environment): ChildProcess =>
    spawn(process.execPath, [commandLinePath, ...words, ...always], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const run = (...words: string[]): Promise<Finished> => finish(start(words));
  return {
    environment,
    ledgerPath: findLedger({ platform: process.platform, environment, home: folder }),
    start,
    run,
    async json(code, ...words) {
      const finished = await run(...words, '--json');
      assert.equal(finished.code, code, finished.stderr);
      const value = parseJson(finished.stdout);
      assert.ok(value !== undefined, finished.stdout);
      return value;
    },
  };
}

/** Gives a process its input, and waits for its end. */
export async function finish(child: ChildProcess, stdin = ''): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
