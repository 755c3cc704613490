// Runs inside the extension host and looks at the screen: 20,000 lines until the last one is seen, in our channel and in that of a bare writer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run as runCommand } from '../host/commands.ts';
import { startLongLogService } from '../host/longLogService.ts';
import { page } from '../host/page.ts';
import { readBare } from './readBare.ts';

const warmUpLines = 5000;
const lineCount = 20_000;
const rounds = 5;

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

/** Called by VS Code. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const { port, stop } = await startLongLogService();
  const channel = vscode.window.createOutputChannel('Bare', 'log');
  const bareSeen: number[] = [];
  const seen: number[] = [];
  try {
    await showBare(channel, port, warmUpLines);
    await showOurs(warmUpLines + 1);
    // Each round has a line more, so that its last line isn't on the screen yet.
    for (let round = 0; round < rounds; round += 1) {
      bareSeen.push(await showBare(channel, port, lineCount + 2 * round));
      seen.push(await showOurs(lineCount + 2 * round + 1));
    }
    writeFileSync(path, JSON.stringify({ bareSeen, seen }));
  } finally {
    channel.dispose();
    stop();
  }
}
