// The folder of the user's data outlives a reload of the window, and with it what one start of the tests hands to the next.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { skip } from './skip.ts';

/** The user data folder of this VS Code. */
export function userData(): string {
  const path = process.env['WORKFLOW_TEST_USER_DATA'];
  assert.ok(path !== undefined);
  return path;
}

/** Call first in a test of what a reload brings back. */
export function requireHotExit(context: Mocha.Context): void {
  if (vscode.env.uiKind !== vscode.UIKind.Web)
    skip(context, 'a desktop VS Code with an extension under development keeps no backups');
}

const handedOn = (): string => join(userData(), 'handed-on.json');

const HandedOn = v.record(v.string(), v.unknown());

/** Hands plain data, beside what others hand on, to the tests that run after the next reload. */
export function handOn(value: object): void {
  const others = existsSync(handedOn()) ? takeOver(HandedOn) : {};
  writeFileSync(handedOn(), JSON.stringify({ ...others, ...value }));
}

/** What the tests before the reload handed on. */
export function takeOver<T>(schema: v.GenericSchema<unknown, T>): T {
  return v.parse(schema, parseJson(readFileSync(handedOn(), 'utf8')));
}

const Instance = v.object({ baseUrl: v.string(), pid: v.number() });

/** The local service of this VS Code, as it says in its data folder, with that folder. */
export function localService(): v.InferOutput<typeof Instance> & { readonly data: string } {
  const file = readdirSync(userData(), { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('instance.json'),
  );
  assert.ok(file !== undefined);
  const path = join(userData(), file);
  return { ...v.parse(Instance, parseJson(readFileSync(path, 'utf8'))), data: dirname(path) };
}

/** The files below it that hold this text; what disappears while it's being read doesn't count. Fails where there are hardly any files. */
export function filesHolding(text: string): readonly string[] {
  const files = readdirSync(userData(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.length > 10, `only ${files.length} files were found`);
  return files.filter((file) => holds(file, text));
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file).includes(text);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
