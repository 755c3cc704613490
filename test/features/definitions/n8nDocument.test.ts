// A definition that is a document of n8n shows what its nodes did, and offers nothing that only documents of a service have.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { decodeRunData } from '../../../src/api/n8n/runData.ts';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noValues } from '../../../src/ui/expressions/shownValues.ts';
import { findExplanation } from '../../../src/features/definitions/completion/hovers.ts';
import { findOffers } from '../../../src/features/definitions/completion/offers.ts';
import { registerLenses } from '../../../src/features/definitions/lenses.ts';
import { DrawnExecutions } from '../../../src/features/definitions/shownExecution/drawnExecutions.ts';
import { renderNodeFailures } from '../../../src/features/definitions/shownExecution/renderNodeFailures.ts';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import { definitionUri, deployedUri } from '../../../src/ui/addresses.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { turnOf } from '../../support/n8n/world.ts';
import { providers } from '../../support/providers.ts';
import { documents } from '../../support/vscodeStandIn.ts';
import { serviceTraits } from '../../../src/domain/serviceTraits.ts';

const to = (node: string) => [{ node, type: 'main', index: 0 }];
const definition = {
  name: 'Sorts',
  nodes: [
    { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } },
    { id: 'n2', name: 'Work', type: 'n8n-nodes-base.set', parameters: { expression: '={{ $json.id }}' } },
    { id: 'n3', name: 'Say', type: 'n8n-nodes-base.code', parameters: { jsCode: 'fail()' } },
  ],
  connections: { Input: { main: [to('Work')] }, Work: { main: [to('Say'), to('Input')] } },
};
const failure = { message: 'text is required', node: { name: 'Say' } };
const ran = {
  data: {
    resultData: {
      runData: {
        Input: [turnOf(1000, 0, [{ body: {} }])],
        Work: [
          turnOf(2000, 1, [{ id: 1 }], { previousNode: 'Input' }),
          turnOf(3000, 2, [{ id: 2 }], { previousNode: 'Input' }),
        ],
        Say: [{ ...turnOf(4000, 3, []), executionStatus: 'error', data: undefined, error: failure }],
      },
      lastNodeExecuted: 'Say',
      error: failure,
    },
  },
  workflowData: { nodes: definition.nodes },
};

describe('a definition that is a document of n8n', () => {
  let world: World;
  let drawnExecutions: DrawnExecutions;
  let document: vscode.TextDocument;
  const text = JSON.stringify(definition, null, 2);
  const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length - 1;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.traits = serviceTraits.n8n;
    world.first.capabilities.set(new Set(['cancel', 'retry']));
    world.first.workflows = [makeWorkflow('w1')];
    const record = parseJson(JSON.stringify(ran));
    assert.ok(isJsonObject(record));
    const { rows, error } = decodeRunData(record, silentLogger);
    world.first.executions = [makeExecution('e', { status: statusOf('failed'), error })];
    world.first.logs.set('e', rows);
    const target = { connectionId, workflowId: 'w1' };
    const shown = {
      uri: definitionUri(target, 'First', 'Sorts', world.services.traits(connectionId).definitionFormat),
      version: 1,
      isDirty: false,
      getText: () => text,
      positionAt: (offset: number) => new vscode.Position(text.slice(0, offset).split('\n').length - 1, 0),
    };
    documents.open(shown);
    document = vscode.workspace.textDocuments[0] ?? assert.fail();
    await world.workflows.refresh();
    drawnExecutions = new DrawnExecutions({ ...world, logger: silentLogger });
    await settle();
    await world.clock.advance(10_000);
    await settle();
  });
  afterEach(() => {
    drawnExecutions.dispose();
    documents.close(document);
    world.following.dispose();
  });

  it('has a name of its own, by which the editor chooses its schema', () => {
    assert.equal(document.uri.path, '/First/Sorts.n8n.workflow.json');
    assert.equal(deployedUri(document.uri).path, '/First/Sorts (deployed).n8n.workflow.json');
  });

  it('has the lenses of the nodes that ran, by their names, and none to evaluate or execute one', async () => {
    const registered = registerLenses(drawnExecutions, world);
    const lenses = (await providers.lenses?.provideCodeLenses(document)) ?? [];
    const shown = lenses
      .map(({ range, command }) => [range.start.line, command?.title] as const)
      .filter(([line]) => line > 0);
    const work = lineOf('"id": "n2"') - 1;
    assert.deepEqual(shown, [
      [lineOf('"id": "n1"') - 1, 'Node Run'],
      [work, '$(chevron-left)'],
      [work, 'Iteration 1 of 2'],
      [work, '$(chevron-right)'],
      [work, 'Node Run'],
      [lineOf('"id": "n3"') - 1, 'Node Run'],
      [lineOf('"id": "n3"') - 1, 'Retry from Failed Node'],
      [lineOf('"id": "n3"') - 1, 'Edit Code'],
    ]);
    registered.dispose();
  });

  it('marks the node that failed at its name, and takes no node for another one', () => {
    const { shown, nodes, positions, changes } = drawnExecutions.find(document) ?? assert.fail();
    const failures = renderNodeFailures(shown, nodes, positions);
    assert.deepEqual(
      failures.map(({ offset, length, message }) => [text.slice(offset, offset + length), message]),
      [['"Say"', 'This node failed in the latest execution: text is required']],
    );
    assert.equal(changes.size, 0);
  });

  it('is drawn with its connections', () => {
    const { nodes, edges } = readGraph(world.definitionTexts.of(document), []);
    assert.deepEqual(
      nodes.map(({ id, name, loop }) => [id, name, loop]),
      ['Input', 'Work', 'Say'].map((name) => [name, name, null]),
    );
    assert.deepEqual(
      edges.map(({ source, target, branch }) => [source, target, branch]),
      [
        ['Input', 'Work', ''],
        ['Work', 'Say', '1'],
        ['Work', 'Input', '2'],
      ],
    );
  });

  it('is offered and explained nothing of a service', () => {
    const shown = world.definitionTexts.of(document);
    for (let offset = 0; offset < text.length; offset += 1) {
      assert.deepEqual(findOffers(shown, offset, noValues), []);
      assert.equal(findExplanation(shown, offset, noValues), undefined);
    }
  });
});
