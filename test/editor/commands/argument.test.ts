// What each command takes from code, from a row and from a lens; what it refuses, and what it says then.
import assert from 'node:assert/strict';
import { decodeArgument, describeArgument } from '../../../src/editor/commands/argument.ts';
import type { CodeArgument, OfferedArgument, PlainCommandName } from '../../../src/editor/commands/types.ts';
import { declaredCommands } from '../../../src/editor/commands/declared/all.ts';
import type { CommandName } from '../../../src/editor/commands/names.ts';
import { commandNames } from '../../support/commandNames.ts';

const activeConnectionId = () => 'active';
const schemaOf = (name: CommandName) => declaredCommands[name].argument;
const fromCode = (name: CommandName, value: unknown) =>
  decodeArgument(schemaOf(name), value, { caller: 'code', activeConnectionId });
const fromPerson = (name: CommandName, value: object) =>
  decodeArgument(schemaOf(name), { ...value, invokedBy: 'person' }, { caller: 'person', activeConnectionId });

/** What the error says of a command's argument, where that is more than a workflow, an execution or a connection. */
const expected: Partial<Readonly<Record<CommandName, string>>> = {
  'connection.add': '{name, baseUrl, apiKey, kind?: "service" | "n8n", mcpToken?}',
  'connection.rename': '{connectionId, name}',
  'connection.replaceKey': '{connectionId, apiKey}',
  'connection.replaceMcpToken': '{connectionId, mcpToken}',
  'connection.setSettingsPage': '{connectionId, settingsUrl?}',
  'apiKey.create': '{name, expiration: "30d" | "90d" | "1y" | "never"}',
  'apiKey.revoke': '{keyId}',
  'secret.create': '{name, value, origins?: […]}',
  'secret.replaceValue': '{name, value, origins?: […]}',
  'secret.delete': '{name}',
  'secret.moveToken': '{uri, name, offset?: number}',
  'keyGuard.moveKey': '{uri, connectionId, offset?: number}',
  'workflow.list': '{limit?: number}',
  'workflow.create': '{definition: {…}}',
  'workflow.import': '{definition: {…}}',
  'workflow.rename': '{workflowId, name}',
  'workflow.duplicate': '{workflowId, name?}',
  'workflow.open': '{workflowId, nodeId?}',
  'workflow.chooseExecution': '{workflowId, executionId}',
  'workflow.previousIteration': '{workflowId, nodeId?}',
  'workflow.nextIteration': '{workflowId, nodeId?}',
  'workflow.evaluateExpression': '{workflowId, expression, nodeId?, executionId?}',
  'workflow.copyAs': '{workflowId, as: "curl" | "fetch" | "python" | "id", input?: {…}}',
  'workflow.openInput': '{workflowId, input?: {…}}',
  'workflow.execute': '{workflowId, input: {…}, trigger?}',
  'workflow.executeDraft':
    '{workflowId, definition?: {…}, input?: {…}, trigger?, pinned?: {…}, answers?: {…}, until?, only?, basedOn?, iteration?: […]}',
  'node.execute': '{workflowId, nodeId}',
  'node.executeUpTo': '{workflowId, nodeId}',
  'node.editPin': '{workflowId, nodeId}',
  'node.removePin': '{workflowId, nodeId}',
  'node.editCode': '{workflowId, nodeId}',
  'workflow.saveInputPreset': '{workflowId, input: {…}, fileUri}',
  'preset.execute': '{fileUri, workflowId}',
  'workflows.loadMore': '{workflowId?}',
  'execution.list': '{workflowId?, status?, limit?: number}',
  'execution.debug': '{executionId, stopAt?: "start" | "failure" | "breakpoint"}',
  'execution.compare': '{executionId, otherExecutionId}',
  'execution.openInN8n': '{executionId, nodeRunKey?}',
  'execution.openLink': '{link}',
  'execution.copyLink': '{executionId, nodeRunKey?}',
  'comparison.openDiff': '{comparisonUri}',
  'comparison.ignoreField': '{field}',
  'executions.filter':
    '{workflowId?, status?: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled" | […], within?: "hour" | "day" | "week", since?, drafts?: boolean}',
  'execution.retry': '{executionId, fromNodeId?, definition?: "same" | "deployed"}',
  'execution.searchLog': '{executionId, text}',
  'execution.nextMatch': '{executionId, text}',
  'execution.previousMatch': '{executionId, text}',
  'execution.filterLog': '{executionId, level?: "debug" | "info" | "warn" | "error", nodeId?, text?}',
  'execution.saveLog': '{executionId, fileUri}',
  'nodeRun.openLog': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.retry': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.openChild': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.answerRequest': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.pinOutput': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.open': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.copyAsCurl': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'nodeRun.revealInDefinition': '{executionId, nodeRunKey} or {executionId, nodeId}',
  'portalEvents.list': '{limit?: number}',
  'portalEvents.filter': '{type?, workflowId?, nodeEvents?: boolean}',
  'portalEvents.send': '{type, data?: {…}, workflowId?}',
  'portalEvent.executeWith': '{eventId, workflowId}',
  'row.open': '{kind, key}',
  'row.execute': '{kind, key}',
  'row.rename': '{kind, key}',
  'row.delete': '{kind, key}',
};

describe('the argument of a command', () => {
  for (const name of commandNames) {
    const words = expected[name];
    if (words !== undefined)
      it(`of ${name} is described by its schema`, () =>
        assert.equal(describeArgument(schemaOf(name)), words));
  }

  it('is of the active connection where the caller names none', () => {
    const target = { workflowId: 'w1', connectionId: 'active' };
    for (const connectionId of [undefined, null, ''])
      assert.deepEqual(fromCode('workflow.open', { workflowId: 'w1', connectionId }), target);
    assert.deepEqual(fromCode('workflow.open', { workflowId: 'w1', connectionId: 'c2' }), {
      ...target,
      connectionId: 'c2',
    });
  });

  it('asks for no connection before the rest is right', () => {
    const decode = (value: object) =>
      decodeArgument(schemaOf('workflow.open'), value, {
        caller: 'code',
        activeConnectionId: () => assert.fail('There is no connection.'),
      });
    assert.equal(decode({}), undefined);
    assert.throws(() => decode({ workflowId: 'w1' }), /no connection/);
  });

  it('must be whole from code; a person is asked for the rest', () => {
    const partial = [
      ['connection.rename', { connectionId: 'c1' }],
      ['connection.replaceKey', { connectionId: 'c1', apiKey: '' }],
      ['connection.replaceMcpToken', { connectionId: 'c1' }],
      ['workflow.rename', { workflowId: 'w1', connectionId: 'c1' }],
      ['workflow.execute', { workflowId: 'w1', connectionId: 'c1' }],
      ['workflow.saveInputPreset', { workflowId: 'w1', connectionId: 'c1' }],
      ['preset.execute', { fileUri: 'file:///a.input.json' }],
      ['execution.compare', { executionId: 'e1', connectionId: 'c1' }],
      ['portalEvent.executeWith', { eventId: 'p1', connectionId: 'c1' }],
      ['keyGuard.moveKey', { uri: 'file:///a.ts', offset: 5 }],
    ] as const;
    for (const [name, value] of partial) {
      assert.equal(fromCode(name, value), undefined, name);
      assert.ok(fromPerson(name, value), name);
    }
  });

  it('is refused where a member is of another type', () => {
    const wrong = [
      ['connection.add', { name: 'No address' }],
      ['connection.add', { kind: 'other', name: 'n', baseUrl: 'https://x.example', apiKey: 'k' }],
      ['connection.replaceKey', { connectionId: 'c1', apiKey: 5 }],
      ['workflow.open', { workflowId: 5 }],
      ['workflow.open', { workflowId: '' }],
      ['workflow.open', { workflowId: 'w1', connectionId: 5 }],
      ['workflow.create', { definition: [] }],
      ['workflow.import', { definition: 'text' }],
      ['workflow.openInput', { workflowId: 'w1', input: 'text' }],
      ['workflow.execute', { workflowId: 'w1', input: 'text' }],
      ['workflow.execute', { workflowId: 'w1', input: [] }],
      ['workflow.duplicate', { workflowId: 'w1', name: 5 }],
      ['workflow.duplicate', { name: 'Of nothing' }],
      ['workflow.undeploy', { workflow: 'Totals' }],
      ['workflow.export', {}],
      ['execution.showLogs', { executionId: '' }],
      ['execution.stopFollowing', {}],
      ['execution.list', { workflowId: 5 }],
      ['apiKey.create', { name: 'k', expiration: '2d' }],
      ['nodeRun.open', { executionId: 'e1' }],
      ['workflow.open', null],
      ['workflow.open', 'w1'],
    ] as const;
    for (const [name, value] of wrong) assert.equal(fromCode(name, value), undefined, JSON.stringify(value));
  });

  it('reads what is missing, null or empty as undefined', () => {
    for (const name of [undefined, null, ''])
      assert.deepEqual(fromCode('workflow.duplicate', { workflowId: 'w1', name }), {
        workflowId: 'w1',
        connectionId: 'active',
        ...(name === undefined ? { name } : { name: undefined }),
      });
    assert.deepEqual(fromCode('workflows.refresh', { more: 1 }), {});
  });

  it('is a connection from its own row or from a button, and from no other row', () => {
    assert.ok(fromPerson('connection.switch', { kind: 'connection', connectionId: 'c1' }));
    assert.ok(fromPerson('connection.replaceKey', { connectionId: 'c1' }));
    assert.equal(fromPerson('connection.switch', { kind: 'workflow', connectionId: 'c1' }), undefined);
  });

  it('is a filter from no row: the title of a view hands over the one with the cursor', () => {
    const row = { kind: 'execution', workflowId: 'w1', executionId: 'e1' };
    for (const name of ['executions.filter', 'portalEvents.filter'] as const) {
      assert.equal(fromPerson(name, row), undefined);
      assert.deepEqual(fromCode(name, { workflowId: 'w1' }), { workflowId: 'w1' });
    }
  });

  it('is a workflow from the row of an execution that tells its workflow', () => {
    const row = { kind: 'execution', connectionId: 'c1', executionId: 'e1' };
    assert.ok(fromPerson('workflow.open', { ...row, workflowId: 'w1' }));
    assert.equal(fromPerson('workflow.open', { ...row, workflowId: null }), undefined);
  });

  it('does not compile where it is wrong', () => {
    const accepts: readonly [
      Accepts<CodeArgument<'workflow.rename'>, { workflowId: string }>,
      Accepts<CodeArgument<'workflow.rename'>, { workflowId: string; name: string }>,
      Accepts<OfferedArgument<'workflow.rename'>, { workflowId: string }>,
      Accepts<OfferedArgument<'execution.showLogs'>, { workflowId: string }>,
      Accepts<OfferedArgument<'connection.switch'>, { kind: 'workflow'; connectionId: string }>,
      Accepts<CodeArgument<'nodeRun.open'>, { executionId: string }>,
      Accepts<PlainCommandName, 'workflow.open'>,
      Accepts<PlainCommandName, 'workflows.refresh'>,
    ] = [false, true, true, false, false, false, false, true];
    assert.equal(accepts.length, 8);
  });
});

type Accepts<Expected, Given> = Given extends Expected ? true : false;
