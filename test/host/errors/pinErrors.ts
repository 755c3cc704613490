// Whatever can't be pinned or answered is refused once.
import * as vscode from 'vscode';
import { commandId } from '../../../src/editor/commands/names.ts';
import { type BadConnection, fromMenu } from './badService.ts';
import { answering } from '../../support/servers.ts';
import type { Meetings } from './meeting.ts';

const executionId = 'exec_1';
const execution = { id: executionId, workflowId: 'wf_1', status: 'completed' };

/** Only drafts use pins and answers. */
const offersAnswers = { 'workflow-capabilities': 'draft, answers' };
const definition = {
  id: 'wf_1',
  name: 'Lead intake',
  isDeployed: false,
  nodes: [{ id: 'greet', type: 'log', config: { message: 'Hello' } }],
  edges: [],
};

/** The connection is another one in each test. */
export function pinErrors(connection: () => BadConnection): Meetings {
  /** Runs a command on the node runs with these outputs, one after the other. */
  const onRuns =
    (
      command: 'nodeRun.pinOutput' | 'nodeRun.answerRequest',
      outputs: readonly unknown[],
      run: object = {},
      record: object = execution,
    ) =>
    async () => {
      const rows = outputs.map((output, at) => ({
        id: `log_${at}`,
        nodeId: `n${at}`,
        nodeName: 'Node',
        nodeType: 'transform',
        status: 'completed',
        timestamp: '2026-01-01T00:00:00.000Z',
        output,
        ...run,
      }));
      connection().answers = {
        'GET /executions/exec_1': answering(200, record),
        'GET /executions/exec_1/logs': answering(200, { data: rows, nextCursor: null }, offersAnswers),
        'GET /executions/exec_1/logs/log_0': answering(200, rows[0] ?? {}),
      };
      const { connectionId } = connection().row;
      for (const { nodeId } of rows) await fromMenu(command, { connectionId, executionId, nodeId });
    };
  const pinning = (outputs: readonly unknown[], run?: object, record?: object) =>
    onRuns('nodeRun.pinOutput', outputs, run, record);
  /** Answers the request of this node in the open definition, or of the one at the cursor, which is before all nodes. */
  const answerRequest = (node: object) => async () => {
    connection().answers = { 'GET /workflows/wf_1': answering(200, definition, offersAnswers) };
    await vscode.commands.executeCommand(commandId('workflow.open'), connection().row);
    await fromMenu('node.answerRequest', { ...connection().row, ...node });
  };
  return {
    noNodeToAnswer: {
      meet: answerRequest({}),
      words: 'Open the definition and place the cursor inside an HTTP request node.',
    },
    nothingToAnswer: {
      meet: answerRequest({ nodeId: 'greet' }),
      words: 'Only the request of an HTTP request node can be answered.',
    },
    answeredInPart: {
      meet: onRuns('nodeRun.answerRequest', [{}], {
        nodeType: 'httpRequest',
        request: { method: 'GET', url: 'https://orders.example.com' },
        response: { status: 200, body: { $cut: { bytes: 9_000_000, preview: '[1, 2' } } },
      }),
      words: "The service returns only the beginning of this response, so it can't be an answer.",
    },
    loopPinned: {
      meet: pinning([{ count: 3 }], { nodeType: 'forEach' }),
      words: "A loop can't be pinned. Pin a node in its body instead.",
    },
    nothingToPin: { meet: pinning([null]), words: 'This node run has no output.' },
    pinnedInPart: {
      meet: pinning([{ $cut: { bytes: 9_000_000, preview: '[1, 2' } }]),
      words: "The service returns only the beginning of this output, so it can't be pinned.",
    },
    pinTooLarge: {
      meet: pinning(['x'.repeat(140_000)]),
      words: 'This value is too large for a pin, which can have up to 131,072 characters of JSON.',
    },
    pinsFull: {
      meet: pinning(Array<string>(4).fill('x'.repeat(130_000))),
      words:
        'The pins of this workspace can have up to 393,216 characters of JSON together. Remove a pin first.',
    },
    pinOfUnknownWorkflow: {
      meet: pinning([1], {}, { id: executionId, status: 'completed' }),
      words: "The service doesn't say which workflow this execution is of.",
    },
    noPins: {
      meet: () => fromMenu('node.removePin', connection().row),
      words: 'No node of this workflow is pinned. Open the definition and place the cursor inside a node.',
    },
    notPinned: {
      meet: () => fromMenu('node.removePin', { ...connection().row, nodeId: 'n1' }),
      words: "This node isn't pinned.",
    },
  };
}
