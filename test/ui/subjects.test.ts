// What a command is about that is given no row: the document of its button, or the document in front.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger.ts';
import { emptyExecution, type Execution } from '../../src/domain/execution.ts';
import { Commands } from '../../src/editor/commands.ts';
import type { CommandName } from '../../src/editor/commands/names.ts';
import {
  definitionUri,
  deployedUri,
  eventUri,
  executionUri,
  inputUri,
  theirsUri,
} from '../../src/ui/addresses.ts';
import { MemoryLinks } from '../support/memory/links.ts';
import { DefinitionTargets } from '../../src/ui/definitionTargets.ts';
import { findSubject } from '../../src/ui/subjects.ts';
import { front } from '../support/vscodeStandIn.ts';

const workflow = { connectionId: 'c1', workflowId: 'w1' };
const execution = { connectionId: 'c1', executionId: 'e1' };
const names = { connectionName: 'Service', title: 'Totals' };

const definition = definitionUri(workflow, 'Service', 'Totals');
const input = inputUri(workflow, 'Service', 'Totals');
const log = executionUri({ target: execution, part: 'log', nodeRunKey: '', isCompact: false }, names);
const node = executionUri({ target: execution, part: 'node', nodeRunKey: 'n1', isCompact: true }, names);
const event = eventUri('c1', 'Service', {
  key: 'k1',
  id: null,
  type: 'execution.failed',
  timestamp: null,
  workflowId: null,
  executionId: null,
  nodeName: null,
  iteration: [],
  data: null,
  raw: {},
});

const failed = { state: 'failed', word: 'failed', hasWarning: false, isTerminal: true } as const;
const known: Execution = { ...emptyExecution('e1', failed), workflowId: 'w9' };

/** What commands run with that are given no row: 'asked' when they ask the user. */
class World {
  known: Execution | undefined;

  async run(name: CommandName, ...args: readonly unknown[]): Promise<unknown> {
    const executions = { find: () => this.known };
    const definitionTargets = new DefinitionTargets(new MemoryLinks());
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => assert.fail(String(error)),
      activeConnectionId: () => 'active',
      findSubject: (uri) => findSubject({ definitionTargets, executions }, uri),
    });
    let seen: unknown;
    commands.register<CommandName, 'asked'>(name, {
      ask: () => Promise.resolve('asked'),
      run: (argument) => {
        seen = argument;
        return Promise.resolve(undefined);
      },
    });
    await commands.handle(name, args);
    return seen;
  }
}

/** Members that are undefined are as good as missing. */
const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a command that is given no row', () => {
  afterEach(() => front.close());

  for (const [what, uri, wanted] of [
    ['a definition', definition, { ...workflow, isAtOnce: true }],
    ["the service's side of a conflict", theirsUri(definition), { ...workflow, isAtOnce: false }],
    ['what is deployed', deployedUri(definition), workflow],
    ['an input', input, { ...workflow, inputUri: input.toString() }],
    ['no workflow for an execution whose workflow is unknown', log, 'asked'],
    ['no workflow for an event', event, 'asked'],
    ['no workflow for a file of others', vscode.Uri.file('/src/index.ts'), 'asked'],
  ] as const)
    it(`is about ${what}, in front or where its button is`, async () => {
      const world = new World();
      front.show(new vscode.TabInputText(uri));
      assert.deepEqual(withoutUndefined(await world.run('workflow.execute')), wanted);
      front.show(new vscode.TabInputText(vscode.Uri.file('/other')));
      assert.deepEqual(withoutUndefined(await world.run('workflow.execute', uri)), wanted);
    });

  it("is about an execution's document: the execution, its node run, and its workflow once it's known", async () => {
    const world = new World();
    front.show(new vscode.TabInputText(node));
    assert.deepEqual(await world.run('execution.openLog'), execution);
    assert.deepEqual(await world.run('nodeRun.open'), { ...execution, nodeRunKey: 'n1' });
    world.known = known;
    assert.deepEqual(withoutUndefined(await world.run('workflow.deploy')), {
      connectionId: 'c1',
      workflowId: 'w9',
    });
  });

  it('is about the event, or the preset, in front', async () => {
    const world = new World();
    front.show(new vscode.TabInputText(event));
    assert.deepEqual(await world.run('portalEvent.open'), { connectionId: 'c1', eventId: 'k1' });
    const preset = vscode.Uri.file('/project/list.input.json');
    front.show(new vscode.TabInputText(preset));
    assert.deepEqual(withoutUndefined(await world.run('preset.execute')), {
      connectionId: 'active',
      fileUri: preset.toString(),
    });
  });

  it('is about the side of a comparison that has the cursor, or else the right one', async () => {
    const world = new World();
    const other = log.with({ query: log.query.replace('e1', 'e2') });
    const diff = new vscode.TabInputTextDiff(log, other);
    for (const [cursor, executionId] of [
      [log, 'e1'],
      [other, 'e2'],
      [undefined, 'e2'],
    ] as const) {
      front.show(diff, cursor);
      assert.deepEqual(await world.run('execution.openLog'), { connectionId: 'c1', executionId });
    }
  });

  it('asks where no document is in front', async () =>
    assert.equal(await new World().run('workflow.deploy'), 'asked'));

  it('asks where its row was drawn anew meanwhile, whatever is in front', async () => {
    const world = new World();
    front.show(new vscode.TabInputText(definition));
    assert.equal(await world.run('workflow.deploy', undefined, undefined), 'asked');
  });

  it('takes nothing from a document that it has no use for', async () => {
    const world = new World();
    front.show(new vscode.TabInputText(definition));
    for (const name of [
      'workflows.loadMore',
      'executions.filter',
      'connection.remove',
      'nodeRun.open',
    ] as const)
      assert.equal(await world.run(name), 'asked', name);
  });
});
