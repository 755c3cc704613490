// Some states need a service whose limits, keys and workflows a test has to itself; this runs the bundled one beside the editor.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { until } from './until.ts';

/** Enough to go on with a service that runs. */
export const OwnServiceHandle = v.object({
  baseUrl: v.string(),
  key: v.string(),
  keyId: v.string(),
  data: v.string(),
  processId: v.number(),
});
type OwnServiceHandle = v.InferOutput<typeof OwnServiceHandle>;

const CreatedKey = v.object({ id: v.string(), key: v.string() });
const Listening = v.object({ baseUrl: v.string() });

export interface OwnService {
  readonly baseUrl: string;
  readonly key: string;
  /** Makes another key that never expires. */
  createKey(): string;
  /** Plain data, to go on with it after a reload of the window; it outlives the extension host. */
  readonly handle: OwnServiceHandle;
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

/** Another key of the service that keeps its data there; it never expires. */
export function createKey(data: string): v.InferOutput<typeof CreatedKey> {
  const created = runKeys('create', '--data', data, '--name', 'Test', '--expiration', 'never');
  return v.parse(CreatedKey, parseJson(created));
}

/** The service of a handle. */
export function takeOwnService(handle: OwnServiceHandle): OwnService {
  const { baseUrl, key, keyId, data, processId } = handle;
  let isStopped = false;
  return {
    baseUrl,
    key,
    handle,
    createKey: () => createKey(data).key,
    revokeKey: () => runKeys('revoke', '--data', data, '--id', keyId),
    async stop() {
      if (isStopped) return;
      isStopped = true;
      process.kill(processId);
      await until(
        () =>
          fetch(baseUrl).then(
            () => true,
            () => false,
          ),
        (isAnswering) => !isAnswering,
      );
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts a service with one key, without samples unless asked for with "--samples". */
export async function startOwnService(...more: string[]): Promise<OwnService> {
  const data = mkdtempSync(join(tmpdir(), 'own-service-'));
  const { id: keyId, key } = createKey(data);
  const child = spawn(process.execPath, [servicePath(), 'serve', '--data', data, '--port', '0', ...more], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl } = v.parse(Listening, parseJson(line));
    assert.ok(child.pid !== undefined);
    return takeOwnService({ baseUrl, key, keyId, data, processId: child.pid });
  }
  throw new Error('The service ended before it listened.');
}

const Samples = v.object({ data: v.array(v.object({ id: v.string() })) });
// Records keep the order of their members, by which tests find their lines.
const Sample = v.object({ nodes: v.array(v.record(v.string(), v.unknown())) });
const Pause = v.object({ milliseconds: v.number() });

/** Makes the pauses of the samples a fifth as long, since they're there to be watched. */
export async function quickenSamples({ baseUrl, key }: OwnService): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const get = async (path: string): Promise<unknown> => (await fetch(baseUrl + path, { headers })).json();
  for (const { id } of v.parse(Samples, await get('/workflows')).data) {
    const { nodes } = v.parse(Sample, await get(`/workflows/${id}`));
    const quick = nodes.map((node) =>
      v.is(Pause, node['config'])
        ? { ...node, config: { milliseconds: node['config'].milliseconds / 5 } }
        : node,
    );
    const body = JSON.stringify({ nodes: quick });
    const { ok } = await fetch(`${baseUrl}/workflows/${id}`, { method: 'PATCH', headers, body });
    assert.ok(ok, id);
  }
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
