// What an open definition knows of its execution follows the workflow too: what's deployed, and what could be read of it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ServiceError } from '../../../../src/domain/errors.ts';
import {
  type DrawnExecution,
  DrawnExecutions,
} from '../../../../src/features/definitions/shownExecution/drawnExecutions.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { settle } from '../../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';
import { documents } from '../../../support/vscodeStandIn.ts';

const nodes = [
  { id: 'a', type: 'log' },
  { id: 'b', type: 'fail' },
];
const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));

describe('what an open definition knows of its execution', () => {
  let world: World;
  let drawnExecutions: DrawnExecutions;
  let document: vscode.TextDocument;
  const opened = { text: '', version: 1, isDirty: false };
  let target: { readonly connectionId: string; readonly workflowId: string };
  let seen: readonly DrawnExecution[];
  let duration = 0;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, workflowId: 'w1' };
    world.first.workflows = [
      makeWorkflow('w1', { isDeployed: true, deployedAt: at(5), deployedDefinition: null }),
    ];
    const failed = statusOf('failed');
    world.first.executions = [makeExecution('e', { createdAt: at(6), status: failed })];
    world.first.logs.set('e', [
      makeNodeLog(1, { nodeId: 'a', nodeType: 'log', status: statusOf('completed') }),
      makeNodeLog(2, { nodeId: 'b', nodeType: 'fail', status: failed }),
    ]);
    write(nodes);
    opened.isDirty = false;
    const edited = {
      uri: definitionUri(target, 'First', 'Workflow w1'),
      get version() {
        return opened.version;
      },
      get isDirty() {
        return opened.isDirty;
      },
      getText: () => opened.text,
    };
    documents.open(edited);
    const [first] = vscode.workspace.textDocuments;
    assert.ok(first);
    document = first;
    await world.workflows.refresh();
    // Rows of the list don't have it.
    world.first.change('w1', { deployedDefinition: { nodes } });
    drawnExecutions = new DrawnExecutions({ ...world, logger: silentLogger });
    seen = [];
    drawnExecutions.onDidChange((drawn) => (seen = [...seen, drawn]));
    await pass();
  });
  afterEach(() => {
    drawnExecutions.dispose();
    documents.close(document);
    world.following.dispose();
  });

  /** Lets what is due be announced. */
  const pass = async (milliseconds = 10_000) => {
    await settle();
    await world.clock.advance(milliseconds);
    await settle();
  };
  const write = (written: readonly object[]) => {
    opened.text = JSON.stringify({ nodes: written });
    opened.version += 1;
  };
  /** Something happens that is announced. */
  const happen = async () => {
    const durationMs = (duration += 1);
    const status = statusOf('failed');
    world.executions.upsert(
      target.connectionId,
      makeExecution('e', { createdAt: at(6), status, durationMs }),
    );
    await pass();
  };
  const reads = () => world.first.calls.filter((call) => call === 'workflows.get w1').length;
  const changes = () => [...(drawnExecutions.find(document)?.changes ?? [])];

  it('is announced when the workflow is deployed again, and then says that', async () => {
    assert.equal(drawnExecutions.wasRedeployedAfter(document), false);
    const before = seen.length;
    world.first.change('w1', { deployedAt: at(9) });
    await world.workflows.refresh();
    await pass();
    assert.equal(drawnExecutions.wasRedeployedAfter(document), true);
    assert.equal(seen.length, before + 1);
    await world.workflows.refresh();
    await pass();
    assert.equal(seen.length, before + 1);
  });

  it('is what ran, also once another definition is deployed', async () => {
    opened.isDirty = true;
    await happen();
    assert.equal(reads(), 1);
    world.first.change('w1', { deployedAt: at(9) });
    await world.workflows.refresh();
    await pass();
    assert.equal(drawnExecutions.wasRedeployedAfter(document), false);
    assert.equal(world.first.purposes.at(world.first.calls.indexOf('workflows.get w1')), 'definitions');
  });

  it('is read again after a failure, but not with each change in between', async () => {
    opened.isDirty = true;
    write([
      { id: 'a', type: 'log', name: 'A' },
      { id: 'b', type: 'fail' },
    ]);
    world.first.failure = new ServiceError({ kind: 'unreachable', cause: 'timeout' }, 'no answer');
    await happen();
    world.first.failure = null;
    for (let change = 0; change < 3; change += 1) await happen();
    assert.equal(reads(), 1);
    assert.deepEqual(changes(), []);
    await pass(60_000);
    await happen();
    assert.equal(reads(), 2);
    assert.deepEqual(changes(), [['a', 'changed']]);
  });

  it('is that a node had another type, by the records alone', () => {
    write([
      { id: 'a', type: 'log' },
      { id: 'b', type: 'log' },
    ]);
    assert.deepEqual(changes(), [['b', 'replaced']]);
  });

  it('is known of a linked file from the time of its link to its end, beside the document of the service', async () => {
    const text = JSON.stringify({ nodes: [{ id: 'a', type: 'log' }] });
    const file = {
      uri: vscode.Uri.file('/w/a.workflow.json'),
      languageId: 'json',
      version: 1,
      isDirty: false,
      getText: () => text,
    };
    documents.open(file);
    const linked = vscode.workspace.textDocuments[1] ?? assert.fail();
    assert.equal(drawnExecutions.find(linked), undefined);
    world.links.set(file.uri, target);
    await pass();
    assert.deepEqual([...(drawnExecutions.find(linked)?.nodes.keys() ?? [])], ['a', 'b']);
    assert.equal(drawnExecutions.findOf(target)?.document, linked);
    world.links.set(file.uri, undefined);
    assert.equal(drawnExecutions.find(linked), undefined);
    assert.equal(seen.at(-1)?.document, linked);
    assert.equal(seen.at(-1)?.shown.kind, 'unknown');
    assert.equal(drawnExecutions.findOf(target)?.document, document);
    documents.close(file);
  });
});
