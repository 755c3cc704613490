// A service of executions that say as many lines as their ids ask for, as fast as they're taken.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect } from './commands.ts';

const someKey = ['svc', 'sk', 'b'.repeat(20)].join('_');

export interface LongLogService {
  readonly port: number;
  readonly connectionId: string;
  readonly stop: () => void;
}

/** Starts the service in a process of its own, and connects to it. */
export async function startLongLogService(): Promise<LongLogService> {
  const root = vscode.extensions.getExtension('workflow-automation.workflow-automation')?.extensionPath;
  assert.ok(root !== undefined);
  const server = spawn(process.execPath, [join(root, 'test', 'bench', 'longLogServer.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = v.parse(
    v.tuple([v.string()]),
    await once(createInterface({ input: server.stdout }), 'line'),
  );
  const port = Number(line);
  const connectionId = await connect('Long logs', { baseUrl: `http://127.0.0.1:${port}/v1`, key: someKey });
  return { port, connectionId, stop: () => void server.kill() };
}
