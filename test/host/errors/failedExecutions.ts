// Whatever the commands that read a failure or compare executions refuse is brought about once.
import { type Answers, type BadConnection, fromMenu, fromPalette, listing } from './badService.ts';
import { answering } from '../../support/servers.ts';
import { extensionId } from '../../../src/editor/ids.ts';
import { allowLinks, openLink } from '../openLink.ts';
import type { Meetings } from './meeting.ts';
import { page } from '../page.ts';
import { until } from '../until.ts';

const executionId = 'exec_1';
const execution = { id: executionId, workflowId: 'wf_1', status: 'completed' };
const failed = { ...execution, status: 'failed' };
const draft = { id: 'wf_1', name: 'Lead intake', isDeployed: false, nodes: [], edges: [] };

const service = 'a'.repeat(22);

/** Opens a link with this query, as the editor hands it over. */
async function follow(query: string): Promise<void> {
  await allowLinks(true);
  await openLink(`vscode://${extensionId}/execution?${query}`);
}

const links = (target: () => object): Meetings => ({
  linkBroken: {
    meet: () => follow('execution=exec_1'),
    words: "This link doesn't lead to an execution. Part of it may be missing.",
  },
  linkToUnknownService: {
    meet: () => follow(`execution=exec_1&service=${service}`),
    words:
      "You have no connection to this link's service. Connect to that service, then open the link again.",
    buttons: ['Connect to a Service…'],
  },
  idNotForLinks: {
    meet: () => fromMenu('execution.copyLink', { ...target(), executionId: 'a/b' }),
    words: "The ID of this execution can't be part of a link.",
  },
});

/** Opens the definition, and steps through the turns of a loop when it shows its execution. */
async function stepIteration(row: object, argument: object): Promise<void> {
  await fromMenu('workflow.open', row);
  await until(
    () => page.texts('.codelens-decoration'),
    (texts) => texts.some((text) => text.includes('Latest execution')),
  );
  await fromMenu('workflow.nextIteration', { ...row, ...argument });
}

/** `row`: of the workflow. */
function turns(
  where: (meet: () => PromiseLike<unknown>) => () => PromiseLike<unknown>,
  row: () => object,
): Meetings {
  return {
    noTurnsToStepThrough: {
      meet: where(() => fromMenu('workflow.nextIteration', row())),
      words: 'No execution is shown in this definition. Open it and execute it first.',
    },
    noNodeToStepIn: {
      meet: where(() => stepIteration(row(), {})),
      words: 'Place the cursor inside a loop node.',
    },
    noLoopToStepThrough: {
      meet: where(() => stepIteration(row(), { nodeId: 'n1' })),
      words: 'The node "n1" isn\'t in a loop of this execution.',
    },
  };
}

export function failedExecutions(connection: () => BadConnection): Meetings {
  const target = () => ({ connectionId: connection().row.connectionId, executionId });
  /** Where the service answers this. */
  const where = (answers: Answers, meet: () => PromiseLike<unknown>) => () => {
    connection().answers = answers;
    return meet();
  };
  return {
    noOtherToCompare: {
      meet: where(
        { 'GET /executions': listing(execution), 'GET /executions/exec_1': answering(200, execution) },
        () => fromMenu('execution.compare', target()),
      ),
      words: 'There are no other executions yet.',
      buttons: ['Execute a Workflow…'],
    },
    noneFailed: {
      meet: where({ 'GET /executions': listing(execution) }, () => fromPalette('execution.openFailedNode')),
      words: 'No execution has failed yet.',
    },
    noneCompleted: {
      meet: where(
        {
          'GET /executions/exec_1': answering(200, failed),
          'GET /executions': listing(),
        },
        () => fromMenu('execution.compareWithLastSuccess', target()),
      ),
      words: 'No other execution of "wf_1" has completed yet.',
    },
    failedNodeNotTold: {
      meet: where(
        {
          'GET /executions/exec_1': answering(200, failed),
          'GET /executions/exec_1/logs': listing(),
        },
        () => fromMenu('execution.openFailedNode', target()),
      ),
      words: "The service doesn't say which node of this execution failed.",
    },
    workflowNotTold: {
      meet: where({ 'GET /executions/exec_1': answering(200, { id: executionId, status: 'failed' }) }, () =>
        fromMenu('nodeRun.revealInDefinition', { ...target(), nodeId: 'n1' }),
      ),
      words: "The service doesn't say which workflow this execution is of.",
    },
    nodeRunGone: {
      meet: where(
        {
          'GET /executions/exec_1': answering(200, execution),
          'GET /executions/exec_1/logs': listing(),
        },
        () => fromMenu('nodeRun.revealInDefinition', { ...target(), nodeRunKey: 'gone' }),
      ),
      words: 'The service no longer keeps this node run.',
    },
    nodeNotInDefinition: {
      meet: where(
        {
          'GET /executions/exec_1': answering(200, execution),
          'GET /workflows/wf_1': answering(200, draft),
        },
        () => fromMenu('nodeRun.revealInDefinition', { ...target(), nodeId: 'n1' }),
      ),
      words: 'The node "n1" is no longer in the definition.',
    },
    noComparison: {
      meet: () => fromPalette('comparison.openDiff'),
      words: 'Open a comparison of two executions first.',
    },
    noDifference: {
      meet: () => fromPalette('comparison.ignoreField'),
      words: 'Place the cursor on a difference in a comparison.',
    },
    ...links(target),
    ...turns(
      (meet) =>
        where(
          {
            'GET /workflows/wf_1': answering(200, draft),
            'GET /executions': listing(execution),
            'GET /executions/exec_1/logs': listing(),
          },
          meet,
        ),
      () => connection().row,
    ),
  };
}
