// Why: some states need a service whose limits, keys and workflows a test has to itself; this runs the bundled one beside the editor.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';

const CreatedKey = v.object({ id: v.string(), key: v.string() });
const Listening = v.object({ baseUrl: v.string() });

export interface OwnService {
  readonly baseUrl: string;
  readonly key: string;
  /** Makes another key that never expires. */
  createKey(): string;
  revokeKey(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

function servicePath(): string {
  const extension = vscode.extensions.getExtension('workflow-automation.workflow-automation');
  assert.ok(extension);
  return join(extension.extensionPath, 'dist', 'service.js');
}

// A desktop editor's own program is no plain Node unless it is told to be.
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };

function runKeys(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [servicePath(), 'keys', ...words], {
    encoding: 'utf8',
    env,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Starts a service with one key, without samples unless asked for with "--samples". */
export async function startOwnService(...more: string[]): Promise<OwnService> {
  const data = mkdtempSync(join(tmpdir(), 'own-service-'));
  const createKey = () => {
    const created = runKeys('create', '--data', data, '--name', 'Test', '--expiration', 'never');
    return v.parse(CreatedKey, parseJson(created));
  };
  const { id, key } = createKey();
  const child = spawn(process.execPath, [servicePath(), 'serve', '--data', data, '--port', '0', ...more], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl } = v.parse(Listening, parseJson(line));
    return {
      baseUrl,
      key,
      createKey: () => createKey().key,
      revokeKey: () => runKeys('revoke', '--data', data, '--id', id),
      stop,
    };
  }
  await stop();
  throw new Error('The service ended before it listened.');
}

/** Fills the service as another client would, past the extension and its budget. */
export async function postTo<T>(
  { baseUrl, key }: OwnService,
  schema: v.GenericSchema<unknown, T>,
  path: string,
  body: object,
): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return v.parse(schema, await response.json());
}
