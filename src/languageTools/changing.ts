// Tools that execute, retry and save.
import * as v from 'valibot';
import { isAbortError, unlessAborted } from '../base/async.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { Deadline } from '../base/time.ts';
import { ifOffered } from '../domain/errors.ts';
import { outputValue } from '../domain/execution.ts';
import type { ExecutionTarget, WorkflowTarget } from '../domain/targets.ts';
import { DefinitionStore, editVersion } from '../model/workflows/definitionStore.ts';
import { chooseRetryDefinition, retryDefinitions } from '../model/workflows/retryDefinition.ts';
import type { TriggeredExecution } from '../model/workflows/workflowActions.ts';
import type { Workflow } from '../domain/workflow.ts';
import type { DraftRequest } from '../protocol/requests.ts';
import { defineTool, described, flag, id, longestWaitMs, members, object, whole } from './languageTool.ts';
import { describeExecution, known } from './readingExecutions.ts';
import { NotDeployed, ToolRefusal } from './toolErrors.ts';
import type { ToolCall } from './toolPorts.ts';
import { hasHiddenHost, type ToolData } from './toolText.ts';

const starts = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** Whether a text of the value, or a name in it, is one of these. */
function hasText(value: JsonValue, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value);
  if (isJsonArray(value)) return value.some((item) => hasText(item, isWanted));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([name, member]) => isWanted(name) || hasText(member, isWanted))
  );
}

/** Refuses what was read from here with something hidden: stored, it would be in the place of what it hides. */
function refuseMasked(definition: JsonObject, { ports }: ToolCall): void {
  const isMasked = (text: string) =>
    hasHiddenHost(text) || text.includes('[redacted') || ports.hide(text) !== text;
  if (hasText(definition, isMasked))
    throw new ToolRefusal(
      'The definition has a key, or a value that was masked when it was read. Ask the user to make this change, or use a secret.',
    );
}

/** Waits for the end of an execution, as long as a client waits for a result. Says how many node runs there are meanwhile. */
async function waitForEnd(
  { ports: { clock, executions, following }, signal, onProgress }: ToolCall,
  target: ExecutionTarget,
): Promise<void> {
  const kept = executions.keepLogs(target);
  const listening = kept.feed.onDidAppend(() => {
    const { length } = kept.feed.nodeRuns;
    onProgress(length, `Node runs: ${length}`);
  });
  const deadline = new Deadline(clock, signal);
  const follow = following.follow(target, 'test');
  try {
    deadline.restart(longestWaitMs);
    const end = await unlessAborted(follow.done, deadline.signal);
    if (end.kind === 'failed') throw end.error;
  } catch (error) {
    if (!deadline.isExpired) throw error;
  } finally {
    follow.leave();
    deadline.dispose();
    listening.dispose();
    kept.dispose();
  }
}

/** Finds what was started, waits for its end if that's wanted, and says what became of it. */
async function report(
  target: WorkflowTarget,
  triggered: TriggeredExecution,
  doesWait: boolean,
  call: ToolCall,
): Promise<ToolData> {
  const { ports, signal, connectionId } = call;
  const howToRead = 'Call getExecution with this "executionId" and the "path" that stands there.';
  const match = await ports.actions.findExecution(target, triggered, signal);
  if (match.kind === 'unknown') {
    const { workflowId } = target;
    const notes = [
      'It was started, but the service does not say which execution it is. Call listExecutions of the workflow.',
    ];
    return { selected: whole({ workflowId, eventIds: triggered.eventIds }), howToRead, notes };
  }
  const execution = { connectionId, executionId: match.executionId };
  if (doesWait) await waitForEnd(call, execution);
  const record = await ports.executions.read(execution, signal);
  const hasEnded = record.status.isTerminal;
  const output = hasEnded ? await ifOffered(ports.executions.output(execution, signal)) : undefined;
  return {
    selected: whole({
      ...describeExecution(record),
      executionId: match.executionId,
      ...known({ output: output && outputValue(output) }),
    }),
    howToRead,
    notes: !hasEnded
      ? ['It has not ended. Call getExecution for its state.']
      : record.status.state === 'failed'
        ? ['It failed. Call explainFailure.']
        : [],
  };
}

export const executeWorkflow = defineTool({
  title: 'Execute Workflow',
  summary: 'Executes a workflow, or a draft of it, once you confirm.',
  icon: '$(play)',
  description:
    'Executes a deployed workflow and waits for its end. With "definition", executes that text as a draft: nothing is saved. A draft takes "pinned" and "until".',
  annotations: starts,
  input: members({
    workflowId: id,
    input: v.optional(object),
    definition: v.optional(object),
    pinned: v.optional(described(object, 'Node IDs with the outputs that they give instead of running')),
    until: v.optional(described(id, 'The ID of the last node')),
    wait: v.optional(described(flag, 'Default true')),
  }),
  run: async ({ workflowId, input, definition, pinned, until, wait = true }, call) => {
    const { ports, connectionId, signal } = call;
    const target = { connectionId, workflowId };
    if (definition !== undefined) refuseMasked(definition, call);
    if (definition === undefined && pinned === undefined && until === undefined)
      return report(target, await ports.actions.execute(target, input ?? {}, { signal }), wait, call);
    await ports.services.learnOffers(connectionId);
    const draft: DraftRequest = { definition, input: input ?? {}, pinned, until };
    return report(target, await ports.actions.executeDraft(target, draft, { signal }), wait, call);
  },
});

export const retryExecution = defineTool({
  title: 'Retry Execution',
  summary: 'Retries an execution that failed, once you confirm.',
  icon: '$(debug-rerun)',
  description:
    'Continues a failed or cancelled execution in a new one, from where it stopped or from a node, and waits for its end.',
  annotations: starts,
  input: members({
    executionId: id,
    fromNodeId: v.optional(id),
    definition: v.optional(
      described(
        v.picklist(retryDefinitions, 'must be "same" or "deployed"'),
        'Default: deployed if that changed since',
      ),
    ),
  }),
  run: async ({ executionId, fromNodeId, definition }, call) => {
    const { ports, connectionId, signal } = call;
    const target = { connectionId, executionId };
    const chosen = definition ?? (await chooseRetryDefinition(ports, target, signal));
    const triggered = await ports.actions.retry(target, { fromNodeId, definition: chosen }, signal);
    const { workflowId } = triggered;
    const { notes = [], ...data } = await report({ connectionId, workflowId }, triggered, true, call);
    const which =
      chosen === 'same'
        ? 'It continued with the definition that the execution ran.'
        : 'It continued with the definition that is deployed now.';
    return { ...data, notes: [which, ...notes] };
  },
});

export const saveDefinition = defineTool({
  title: 'Save Definition',
  summary: 'Saves the definition of a workflow, once you confirm.',
  icon: '$(save)',
  description:
    'Saves a definition: of a workflow, or without "workflowId" as a new one. Members that are left out stay as they are. Give the version of getDefinition as "basedOnVersion", so that nobody else\'s change is lost.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: members({
    workflowId: v.optional(id),
    definition: object,
    basedOnVersion: v.optional(id),
    deploy: v.optional(flag),
  }),
  run: async ({ workflowId, definition, basedOnVersion, deploy = false }, call) => {
    refuseMasked(definition, call);
    const { ports, connectionId, signal } = call;
    const saved =
      workflowId === undefined
        ? await ports.actions.create(connectionId, definition, signal)
        : await update({ connectionId, workflowId }, definition, basedOnVersion, call);
    const workflow = deploy ? await deploySaved(saved, call) : saved;
    const { id: savedId, name, isDeployed, hasUndeployedChanges } = workflow;
    return {
      selected: whole({
        workflowId: savedId,
        name,
        isDeployed,
        hasUndeployedChanges,
        version: editVersion(workflow),
      }),
      howToRead: 'Call getDefinition.',
      notes:
        hasUndeployedChanges === true
          ? [
              'It is saved, and the deployed version is still the old one. Save with "deploy": true to change that.',
            ]
          : [],
    };
  },
});

/** Rejects with a NotDeployed, or with the signal's reason. */
async function deploySaved(saved: Workflow, { ports, connectionId, signal }: ToolCall): Promise<Workflow> {
  try {
    return await ports.actions.deploy({ connectionId, workflowId: saved.id }, signal);
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    throw new NotDeployed({ workflowId: saved.id, version: editVersion(saved) }, { cause: error });
  }
}

async function update(
  target: WorkflowTarget,
  definition: JsonObject,
  basedOnVersion: string | undefined,
  { ports, signal }: ToolCall,
) {
  const store = new DefinitionStore(ports);
  const base = await store.read(target, signal);
  const conflict = new ToolRefusal(
    'Somebody has changed the workflow since, so nothing was saved. Call getDefinition, apply your change to what is there now, and save that.',
  );
  if (basedOnVersion !== undefined && basedOnVersion !== editVersion(base.workflow)) throw conflict;
  const mine = { ...base.definition, ...definition };
  const result = await store.save(target, mine, [base.definition], signal);
  if (result.kind === 'conflict') throw conflict;
  return result.now.workflow;
}
