// The lenses of a definition can't be clicked while they are being redrawn, so that only what they say and do makes the editor ask again.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Disposable } from '../../../src/base/disposable.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { registerLenses } from '../../../src/features/definitions/lenses.ts';
import { DrawnExecutions } from '../../../src/features/definitions/shownExecution/drawnExecutions.ts';
import { definitionUri } from '../../../src/ui/addresses.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import { providers } from '../../support/providers.ts';
import { documents } from '../../support/vscodeStandIn.ts';

describe('the lenses of a definition', () => {
  let world: World;
  let document: vscode.TextDocument;
  let drawnExecutions: DrawnExecutions;
  let registered: Disposable;
  let asked = 0;
  let text = '';
  let version = 1;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1')];
    world.first.executions = [makeExecution('e', { status: statusOf('completed') })];
    const row = (sequence: number, iteration: number) =>
      makeNodeLog(sequence, {
        nodeId: 'a',
        nodeType: 'httpRequest',
        iteration: [iteration],
        status: statusOf('completed'),
        output: { total: 42 },
        exchange: { request: { method: 'GET', url: 'https://example.com/' } },
      });
    world.first.logs.set('e', [row(1, 0), row(2, 1)]);
    text = JSON.stringify({ nodes: [{ id: 'a' }, { id: 'not run' }] }, null, 2);
    const edited = {
      uri: definitionUri({ connectionId, workflowId: 'w1' }, 'First', 'Workflow w1'),
      get version() {
        return version;
      },
      isDirty: false,
      getText: () => text,
      positionAt: (offset: number) => new vscode.Position(text.slice(0, offset).split('\n').length - 1, 0),
    };
    documents.open(edited);
    const [first] = vscode.workspace.textDocuments;
    assert.ok(first);
    document = first;
    await world.workflows.refresh();
    drawnExecutions = new DrawnExecutions({ ...world, logger: silentLogger });
    registered = registerLenses(drawnExecutions, world);
    world.first.capabilities.set(new Set());
    asked = 0;
    providers.lenses?.onDidChangeCodeLenses?.(() => {
      asked += 1;
      void ask();
    });
    await pass();
  });
  afterEach(() => {
    registered.dispose();
    drawnExecutions.dispose();
    documents.close(document);
    world.following.dispose();
  });

  const pass = async () => {
    await settle();
    await world.clock.advance(10_000);
    await settle();
  };
  /** As the editor asks: each line with what stands above it. */
  const ask = async () => {
    const lenses = (await providers.lenses?.provideCodeLenses(document)) ?? [];
    return lenses.map(({ range, command }) => `${range.start.line} ${command?.title ?? ''}`);
  };
  const ofNodes = async () => (await ask()).filter((lens) => !lens.startsWith('0 '));
  const selectIteration = (index: number) => {
    const key = drawnExecutions.find(document)?.nodes.get('a')?.loops[0]?.key ?? '';
    world.selection.selectIteration({ connectionId: 'connection_1', executionId: 'e' }, key, index);
  };
  const actions = (iteration: number) => [
    '$(chevron-left)',
    `Iteration ${iteration} of 2`,
    '$(chevron-right)',
    'Node Run',
  ];

  it('stand above the nodes that ran, wherever those are in the text', async () => {
    const above = (line: number) => actions(1).map((title) => `${line} ${title}`);
    assert.deepEqual(await ofNodes(), above(2));
    text = `\n${text}`;
    version += 1;
    assert.deepEqual(await ofNodes(), above(3));
  });

  it('execute each node as a draft, whether it ran or not, where the service offers that', async () => {
    world.first.capabilities.set(new Set(['draft', 'executeNodeAlone']));
    const drafts = ['Execute Node', 'Execute up to Here'];
    assert.deepEqual(await ofNodes(), [
      ...actions(1).map((title) => `2 ${title}`),
      ...drafts.map((title) => `2 ${title}`),
      ...drafts.map((title) => `5 ${title}`),
      '2 Pin Output',
    ]);
  });

  it('execute a node alone as soon as the service says that it can', async () => {
    const drafts = async () => (await ofNodes()).filter((lens) => lens.includes('Execute'));
    world.first.capabilities.set(new Set(['draft']));
    assert.deepEqual(await drafts(), ['2 Execute up to Here', '5 Execute up to Here']);
    world.first.capabilities.set(new Set(['draft', 'executeNodeAlone']));
    assert.equal((await drafts()).length, 4);
  });

  it('say what is pinned, which pins have no node, and which outputs can be pinned', async () => {
    world.first.capabilities.set(new Set(['draft']));
    const target = { connectionId: 'connection_1', workflowId: 'w1' };
    const pinsIn = async () => (await ask()).filter((lens) => /pin/i.test(lens));
    assert.deepEqual(await pinsIn(), ['2 Pin Output']);
    await world.pins.set(target, 'a', { text: '$(flame)', list: [1, 2] });
    await world.pins.set(target, 'gone', 1);
    assert.deepEqual(await pinsIn(), [
      '1 $(warning) The pin "gone" has no node',
      '1 Remove Pin',
      '2 $(pinned) Pinned: {"text":"\\$(flame)","list":[1,2]}',
      '2 Remove Pin',
    ]);
    text = text.replace('"a"', '"a", "type": "forEach"');
    version += 1;
    assert.deepEqual((await pinsIn()).slice(2), [
      "2 $(warning) Pin not used: a loop can't be pinned",
      '2 Remove Pin',
    ]);
    world.first.capabilities.set(new Set());
    assert.deepEqual(await pinsIn(), []);
  });

  it('offer answers to a request that was sent, and say which it has, where the service takes them', async () => {
    world.first.capabilities.set(new Set(['draft']));
    const target = { connectionId: 'connection_1', workflowId: 'w1' };
    text = text.replace('"a"', '"a", "type": "httpRequest"');
    version += 1;
    const answersIn = async () => (await ask()).filter((lens) => /answer|pin/i.test(lens));
    assert.deepEqual(await answersIn(), ['2 Pin Output']);
    world.first.capabilities.set(new Set(['draft', 'answers']));
    assert.deepEqual(await answersIn(), ['2 Pin Output', '2 Answer Request…']);
    await world.pins.set(target, 'a', [{ status: 503 }, { error: 'timeout' }], 'answers');
    await world.pins.set(target, 'gone', [{ status: 200 }], 'answers');
    await world.pins.set(target, 'not run', [{ status: 200 }], 'answers');
    assert.deepEqual(await answersIn(), [
      '1 $(warning) The answers "gone" have no node',
      '1 Remove Answers',
      '2 $(reply) Answered: 503, timeout',
      '2 Remove Answers',
      '5 $(warning) Answers not used: this node sends no HTTP request',
      '5 Remove Answers',
    ]);
  });

  it("don't offer to deploy any more once the service was found not to offer that", async () => {
    const offers = async () => (await ask()).some((lens) => /^0 .*Deploy$/.test(lens));
    assert.equal(await offers(), true);
    world.first.notOffered.set(new Set(['deployWorkflow']));
    await pass();
    assert.equal(asked, 1);
    assert.equal(await offers(), false);
  });

  it("execute nothing once the connection was removed, and don't fail", async () => {
    world.first.capabilities.set(new Set(['draft']));
    await world.connections.remove('connection_1');
    await pass();
    assert.ok(!(await ask()).some((lens) => lens.includes('Execute Node')));
  });

  it('are redrawn once another iteration is selected, and not if nothing differs', async () => {
    await ask();
    selectIteration(0);
    await pass();
    assert.equal(asked, 0);
    selectIteration(1);
    await pass();
    assert.equal(asked, 1);
    assert.deepEqual(
      await ofNodes(),
      actions(2).map((title) => `2 ${title}`),
    );
  });

  it("aren't compared after a change of the text, since the editor asks by itself", async () => {
    await ask();
    version += 1;
    selectIteration(1);
    await pass();
    assert.equal(asked, 0);
  });
});
