// Runs inside the extension host and looks at the screen: a definition of 200 nodes that shows 5,000 node runs is drawn anew, and typed in.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, run as runCommand } from '../host/commands.ts';
import { page } from '../host/page.ts';
import { goBehind } from '../host/selection.ts';
import { until } from '../host/until.ts';
import { serve } from '../support/servers.ts';

const nodeCount = 200;
const turnCount = 25;
const rounds = 9;
const keys = 24;
const start = Date.UTC(2026, 0, 5, 10);
const someKey = ['svc', 'sk', 'b'.repeat(20)].join('_');

const nodeIds = Array.from({ length: nodeCount - 2 }, (_, at) => `n${at}`);
const workflow = {
  id: 'w',
  name: 'Many',
  status: 'deployed',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each', type: 'forEach', config: { items: 'input.items' } },
    ...nodeIds.map((id) => ({ id, name: `Node ${id}`, type: 'log', config: { message: 'Line' } })),
  ],
  edges: [
    { source: 'start', target: 'each' },
    ...nodeIds.map((id, at) => ({
      source: nodeIds[at - 1] ?? 'each',
      target: id,
      ...(at === 0 && { branch: 'each' }),
    })),
  ],
};
const execution = {
  id: 'e',
  workflowId: 'w',
  status: 'completed',
  startedAt: new Date(start).toISOString(),
  completedAt: new Date(start + 60_000).toISOString(),
};

function row(sequence: number, nodeId: string, nodeType: string, turn?: number): object {
  return {
    id: `log_${sequence}`,
    sequence,
    nodeId,
    nodeType,
    status: 'completed',
    message: `row ${sequence}`,
    startedAt: new Date(start + sequence).toISOString(),
    completedAt: new Date(start + sequence + 7).toISOString(),
    ...(turn !== undefined && { iteration: [turn] }),
  };
}

const sequenceOf = (turn: number, node: number): number => 3 + turn * nodeIds.length + node;

const rows = [
  row(1, 'start', 'trigger'),
  row(2, 'each', 'forEach'),
  ...Array.from({ length: turnCount }, (_, turn) => turn).flatMap((turn) =>
    nodeIds.map((nodeId, at) => row(sequenceOf(turn, at), nodeId, 'log', turn)),
  ),
];

function answer(path: string): object {
  if (path.endsWith('/logs')) return { data: rows, nextCursor: null };
  if (path.endsWith('/executions')) return { data: [execution], nextCursor: null };
  if (path.endsWith('/executions/e')) return execution;
  if (path.endsWith('/workflows')) return { data: [workflow], nextCursor: null };
  if (path.endsWith('/workflows/w')) return workflow;
  return { data: [], nextCursor: null };
}

/** Milliseconds from the command to what the other turn says at the lines' ends on the screen, with all that is drawn on 200 nodes. */
async function untilDrawn(turn: number): Promise<number> {
  const began = performance.now();
  await runCommand(v.unknown(), 'workflow.nextIteration', { workflowId: 'w', nodeId: 'n0' });
  const message = `row ${sequenceOf(turn, 0)}`;
  while (!(await page.lines()).some((line) => line.endsWith(message)));
  return performance.now() - began;
}

/** Milliseconds from each key to the letter on the screen. */
async function untilTyped(editor: vscode.TextEditor): Promise<readonly number[]> {
  const times: number[] = [];
  const { line } = editor.selection.active;
  let typed = '';
  for (const key of 'abcdefghijklmnopqrstuvwxyz'.slice(0, keys)) {
    typed += key;
    const began = performance.now();
    await page.press(key);
    await page.waitFor(`.view-line:has-text("Many${typed}")`);
    times.push(performance.now() - began);
  }
  assert.ok(editor.document.lineAt(line).text.includes(`Many${typed}`));
  return times;
}

async function edit(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(document);
  await goBehind(editor, '"Many');
  return editor;
}

/** Called by VS Code. */
export async function run(): Promise<void> {
  const path = process.env['WORKFLOW_BENCH_RESULT'];
  assert.ok(path !== undefined);
  const server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(pathname)));
  });
  try {
    await connect('Many', { baseUrl: `http://127.0.0.1:${server.port}/v1`, key: someKey });
    const uri = await runCommand(v.string(), 'workflow.open', { workflowId: 'w' });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    const editor = await vscode.window.showTextDocument(document);
    const first = document.positionAt(document.getText().indexOf('"n0"'));
    editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.InCenter);
    await page.waitFor(`.codelens-decoration:has-text("Iteration 1 of ${turnCount}")`);
    await until(page.lines, (all) => all.some((each) => each.includes('completed')));
    const drawn: number[] = [];
    for (let round = 0; round < rounds; round += 1) drawn.push(await untilDrawn(round + 1));
    const bare = await vscode.workspace.openTextDocument({ language: 'json', content: document.getText() });
    const bareTyped = await untilTyped(await edit(bare));
    const typed = await untilTyped(await edit(document));
    writeFileSync(path, JSON.stringify({ drawn, bareTyped, typed }));
  } finally {
    await server.close();
  }
}
