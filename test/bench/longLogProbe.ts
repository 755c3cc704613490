// Runs inside the extension host: takes a log of 350,000 lines as fast as it comes, while its document and the channel are open, and accounts
// for every line. In another VS Code, what a bare reader of the same stream does. The memory is watched from outside, and nothing was
// followed before, as when a person opens the first log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run as runCommand } from '../host/commands.ts';
import { startLongLogService } from '../host/longLogService.ts';
import { page } from '../host/page.ts';
import { until } from '../host/until.ts';
import { userData } from '../host/userData.ts';
import { readBare } from './readBare.ts';

const lineCount = Number(process.env['WORKFLOW_BENCH_LINES'] ?? 350_000);
const Saved = v.object({ lineCount: v.number() });
const Matches = v.array(v.object({ line: v.number(), text: v.string() }));
const lastLine = '[info] completed';

/** Resolves when the document of the log shows its end. */
function ended(uri: string): Promise<void> {
  const isEnded = (document: vscode.TextDocument) =>
    document.uri.toString() === uri && document.lineAt(Math.max(0, document.lineCount - 2)).text === lastLine;
  return new Promise((resolve) => {
    const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isEnded(document)) return;
      listener.dispose();
      resolve();
    });
    if (vscode.workspace.textDocuments.some(isEnded)) {
      listener.dispose();
      resolve();
    }
  });
}

/** Returns the milliseconds that a work takes, and what else it costs. */
async function measure(work: () => Promise<unknown>) {
  const memory = await watchMemory();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const worked = measureWork();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  delay.disable();
  return { ms, longestBlock: delay.max / 1e6, ...worked.end(), grown: await memory.end() };
}

/** Follows an execution to its end, with its document and the channel open. */
async function follow(executionId: string): Promise<void> {
  await runCommand(v.unknown(), 'execution.showLogs', { executionId });
  await ended(await runCommand(v.string(), 'execution.openLog', { executionId }));
}

/** Reads the same rows, counts them and keeps nothing. */
async function count(port: number, executionId: string): Promise<void> {
  let lines = 0;
  await readBare(port, executionId, (piece) => {
    lines += piece.length;
    return undefined;
  });
  assert.equal(lines, lineCount);
}

/** Has another process watch by how many megabytes the memory of this one grows at most, as the machine sees it. */
async function watchMemory(): Promise<{ readonly end: () => Promise<number> }> {
  const watcher = spawn(process.execPath, [fileInBench('memoryWatcher.ts'), String(process.pid)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const lines = createInterface({ input: watcher.stdout });
  await once(lines, 'line');
  return {
    end: async () => {
      const told = once(lines, 'line');
      watcher.stdin.end();
      return Number((await told)[0]);
    },
  };
}

function fileInBench(name: string): string {
  const extension = vscode.extensions.getExtension('workflow-automation.workflow-automation');
  assert.ok(extension !== undefined);
  return join(extension.extensionPath, 'test', 'bench', name);
}

/** Resolves when the file of the channel has this text at its end, however long the editor takes to write it. */
async function untilInChannel(text: string): Promise<void> {
  const find = () =>
    readdirSync(userData(), { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith('Workflow Logs.log'),
    );
  const file = await until(find, (found) => found !== undefined);
  await until(
    () => readEnd(join(userData(), file ?? '')),
    (end) => end.includes(text),
  );
}

function readEnd(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    const from = Math.max(0, fstatSync(file).size - buffer.length);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from));
  } finally {
    closeSync(file);
  }
}

/** Measures how long this thread works, altogether and at most without a turn of its event loop: other processes that have the processor meanwhile don't count. */
function measureWork() {
  const workedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const began = workedMs();
  let last = began;
  let longestWork = 0;
  const timer = setInterval(() => {
    const now = workedMs();
    longestWork = Math.max(longestWork, now - last);
    last = now;
  }, 1);
  return {
    end: () => {
      clearInterval(timer);
      return { workMs: workedMs() - began, longestWork };
    },
  };
}

/** How many of the marks are in the file, each once and in order. */
async function countMarks(path: string): Promise<number> {
  let next = 1;
  for await (const line of createInterface({ input: createReadStream(path) }))
    if (line.includes(`: mark-${next}- `)) next += 1;
  return next - 1;
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const { port, stop } = await startLongLogService();
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-log-'));
  try {
    if (process.env['WORKFLOW_BENCH_READER'] === 'bare') {
      const bare = await measure(() => count(port, `lines_${lineCount}_bare`));
      writeFileSync(path, JSON.stringify({ bare }));
      return;
    }
    const executionId = `lines_${lineCount}`;
    const followed = performance.now();
    let [followMs, channelMs] = [0, 0];
    const ours = await measure(() =>
      Promise.all([
        follow(executionId).then(() => (followMs = performance.now() - followed)),
        untilInChannel(`mark-${lineCount}-`).then(() => (channelMs = performance.now() - followed)),
      ]),
    );
    await page.screenshot('long-log');
    const file = join(folder, 'whole.log');
    const began = performance.now();
    const { lineCount: saved } = await runCommand(Saved, 'execution.saveLog', {
      executionId,
      fileUri: vscode.Uri.file(file).toString(),
    });
    const saveMs = performance.now() - began;
    const searched = performance.now();
    const found = await runCommand(Matches, 'execution.searchLog', {
      executionId,
      text: `mark-${lineCount}-`,
    });
    const searchMs = performance.now() - searched;
    assert.equal(found[0]?.line, lineCount);
    await runCommand(v.unknown(), 'execution.openFirstError', { executionId });
    await page.screenshot('long-log-first-error');
    const marks = await countMarks(file);
    writeFileSync(path, JSON.stringify({ ours, followMs, channelMs, saveMs, searchMs, saved, marks }));
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
