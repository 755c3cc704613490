// Runs inside the extension host: takes a log of 350,000 lines as fast as it comes, while its document and the channel are open, and accounts
// for every line. Beside it, what a bare reader of the same stream does.
import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run as runCommand } from '../host/commands.ts';
import { startLongLogService } from '../host/longLogService.ts';
import { page } from '../host/page.ts';
import { readBare } from './readBare.ts';

const lineCount = Number(process.env['WORKFLOW_BENCH_LINES'] ?? 350_000);
const Saved = v.object({ lineCount: v.number() });
const Matches = v.array(v.object({ line: v.number(), text: v.string() }));
const megabyte = 1024 * 1024;
const lastLine = '[info] completed';
const warmUpLines = 5000;

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

/** Follows an execution of so many lines to its end. Returns the milliseconds, and what it cost. */
async function follow(executionId: string) {
  const memory = measureMemory();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const work = measureWork();
  const began = performance.now();
  await runCommand(v.unknown(), 'execution.showLogs', { executionId });
  const uri = await runCommand(v.string(), 'execution.openLog', { executionId });
  await ended(uri);
  const ms = performance.now() - began;
  delay.disable();
  const longestBlock = delay.max / 1e6;
  return { ms, longestBlock, longestWork: work.end(), grown: memory.end(), uri };
}

/** Measures by how many megabytes the memory of this process grows at most. */
function measureMemory(): { readonly end: () => number } {
  const before = process.memoryUsage().rss;
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
  return {
    end: () => {
      clearInterval(timer);
      return (highest - before) / megabyte;
    },
  };
}

/** Measures how long this thread works at most without a turn of its event loop. A block is longer when other processes have the processor meanwhile. */
function measureWork(): { readonly end: () => number } {
  const workedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = workedMs();
  let longest = 0;
  const timer = setInterval(() => {
    const now = workedMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    end: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

async function writeBare(port: number, executionId: string, path: string) {
  const memory = measureMemory();
  const began = performance.now();
  const file = await open(path, 'w');
  await readBare(port, executionId, (lines) => file.appendFile(lines.join('')));
  await file.close();
  return { bareMs: performance.now() - began, bareGrown: memory.end() };
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
    await follow(`lines_${warmUpLines}`);
    const bare = await writeBare(port, `lines_${lineCount}_bare`, join(folder, 'bare.log'));
    const executionId = `lines_${lineCount}`;
    const { uri: _uri, ...cost } = await follow(executionId);
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
    writeFileSync(path, JSON.stringify({ ...cost, ...bare, saveMs, searchMs, saved, marks }));
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
