import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { evaluateInText } from '../../../../src/features/definitions/expressions/evaluating.ts';
import { Evaluations } from '../../../../src/features/definitions/expressions/evaluations.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { ExpressionValues } from '../../../../src/ui/expressions/expressionValues.ts';
import { readRecordedData } from '../../../../src/ui/expressions/recordedData.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../../support/memory/world.ts';
import { documents } from '../../../support/vscodeStandIn.ts';

describe('"Evaluate" in a definition', () => {
  it("doesn't move the cursor of a person who typed on meanwhile", async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    const nodes = [{ id: 'a', type: 'transform', config: { expression: '1 + 1' } }];
    const open = {
      uri: definitionUri({ connectionId, workflowId: 'w1' }, 'First', 'Workflow w1'),
      version: 1,
      getText: () => JSON.stringify({ nodes }),
      positionAt: (offset: number) => new vscode.Position(0, offset),
    };
    documents.open(open);
    const [editor] = vscode.window.visibleTextEditors;
    assert.ok(editor);
    let hovers = 0;
    const hover = vscode.commands.registerCommand('editor.action.showHover', () => (hovers += 1));
    const completed = makeNodeLog(1, { nodeId: 'a', nodeType: 'transform', status: statusOf('completed') });
    const data = readRecordedData(
      { id: 'e', input: undefined },
      treeOf(foldNodeRuns([completed])),
      new Map(),
      world.definitionTexts.of(editor.document),
      undefined,
    );
    const evaluator = {
      evaluate: () => {
        open.version += 1;
        return Promise.resolve('2');
      },
      list: () => Promise.resolve([]),
    };
    let shown = 0;
    const deps = {
      ...world,
      dataOn: () => data,
      values: new ExpressionValues(evaluator),
      evaluations: new Evaluations(world.definitionTexts, () => (shown += 1)),
    };
    const { signal } = new AbortController();
    await evaluateInText(deps, editor, { nodeId: 'a', path: undefined }, signal);
    assert.deepEqual([shown, hovers, editor.selection], [1, 0, undefined]);
    hover.dispose();
    documents.close(open);
    world.following.dispose();
  });
});
