// Runs inside the extension host: takes a log of 350,000 lines as fast as it comes, while its document and the channel are open, and accounts
// for every line; and 20,000 lines until the last one is seen. Beside both, what a bare reader of the same stream does.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, run as runCommand } from '../host/commands.ts';
import { page } from '../host/page.ts';

const lineCount = Number(process.env['WORKFLOW_BENCH_LINES'] ?? 350_000);
const someKey = ['svc', 'sk', 'b'.repeat(20)].join('_');
const Saved = v.object({ lineCount: v.number() });
const Matches = v.array(v.object({ line: v.number(), text: v.string() }));
const Row = v.object({ nodeId: v.string(), level: v.string(), message: v.string(), timestamp: v.string() });
const megabyte = 1024 * 1024;
const lastLine = '[info] completed';
const warmUpLines = 5000;
const visibleLines = 20_000;
const rounds = 3;

async function startServer(): Promise<{ readonly port: number; readonly stop: () => void }> {
  const root = vscode.extensions.getExtension('workflow-automation.workflow-automation')?.extensionPath;
  assert.ok(root !== undefined);
  const server = spawn(process.execPath, [join(root, 'test', 'bench', 'longLogServer.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout }))
    return { port: Number(line), stop: () => void server.kill() };
  throw new Error('The server said nothing.');
}

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
  const before = process.memoryUsage().rss;
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  await runCommand(v.unknown(), 'execution.showLogs', { executionId });
  const uri = await runCommand(v.string(), 'execution.openLog', { executionId });
  await ended(uri);
  const ms = performance.now() - began;
  delay.disable();
  clearInterval(sampling);
  return { ms, longestBlock: delay.max / 1e6, grown: (highest - before) / megabyte, uri };
}

/** The floor: reads the stream, parses its rows, and hands over the lines of each piece together. */
async function readBare(
  port: number,
  executionId: string,
  take: (lines: readonly string[]) => Promise<unknown> | undefined,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/executions/${executionId}/logs/stream`);
  assert.ok(response.body);
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    const lines = events.flatMap((event) => {
      if (!event.includes('event: log')) return [];
      const data = event.slice(event.indexOf('data: ') + 'data: '.length);
      const { nodeId, level, message, timestamp } = v.parse(Row, JSON.parse(data));
      return [`${timestamp} [${level}] Long › ${nodeId}: ${message}\n`];
    });
    await take(lines);
  }
}

async function writeBare(port: number, executionId: string, path: string): Promise<number> {
  const began = performance.now();
  const file = await open(path, 'w');
  await readBare(port, executionId, (lines) => file.appendFile(lines.join('')));
  await file.close();
  return performance.now() - began;
}

/** Milliseconds until the last of so many lines is on the screen. */
async function untilSeen(lines: number, begin: () => unknown): Promise<number> {
  const began = performance.now();
  begin();
  await page.waitFor(`.part.panel .view-line:has-text("mark-${lines}-")`);
  return performance.now() - began;
}

/** Writes each piece to the channel as it comes. */
function showBare(channel: vscode.OutputChannel, port: number, lines: number): Promise<number> {
  const append = (texts: readonly string[]) => {
    channel.append(texts.join(''));
    return undefined;
  };
  return untilSeen(lines, () => {
    channel.show(true);
    void readBare(port, `lines_${lines}_bare`, append);
  });
}

function showOurs(lines: number): Promise<number> {
  const executionId = `lines_${lines}`;
  return untilSeen(lines, () => void runCommand(v.unknown(), 'execution.showLogs', { executionId }));
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
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-log-'));
  try {
    await connect('Long', { baseUrl: `http://127.0.0.1:${server.port}/v1`, key: someKey });
    await follow(`lines_${warmUpLines}`);
    const bareChannel = vscode.window.createOutputChannel('Bare', 'log');
    await showBare(bareChannel, server.port, warmUpLines);
    const bareSeen: number[] = [];
    const seen: number[] = [];
    // Each round has a line more, so that its last line isn't on the screen yet.
    for (let round = 0; round < rounds; round += 1) {
      bareSeen.push(await showBare(bareChannel, server.port, visibleLines + 2 * round));
      seen.push(await showOurs(visibleLines + 2 * round + 1));
    }
    bareChannel.dispose();
    const bareMs = await writeBare(server.port, `lines_${lineCount}_bare`, join(folder, 'bare.log'));
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
    writeFileSync(path, JSON.stringify({ ...cost, bareMs, bareSeen, seen, saveMs, searchMs, saved, marks }));
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
