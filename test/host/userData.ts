// The folder of the user's data outlives a reload of the window, and with it what one start of the tests hands to the next.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Hands plain data to the tests that run after the next reload. */
export function handOn(value: object): void {
  writeFileSync(handedOn(), JSON.stringify(value));
}

/** What the tests before the reload handed on. */
export function takeOver<T>(schema: v.GenericSchema<unknown, T>): T {
  return v.parse(schema, parseJson(readFileSync(handedOn(), 'utf8')));
}
