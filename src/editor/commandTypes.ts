// The argument and the result of each command. The schemas decode arguments from outside and give our own code its types.
import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { logLevels } from '../domain/nodeLog.ts';
import { executionStatuses } from '../domain/status.ts';
import { ExecuteDraftRequest } from '../protocol/requests.ts';
import { asked, hidden, noRow, optional, optionalText, row } from './commandArguments.ts';
import { connectionSchemas, nothing, text } from './connectionCommandTypes.ts';
import type { CommandName } from './ids.ts';

const jsonObject = v.custom<JsonObject>(isJsonObject);
/** How many rows of a list code wants. */
const limit = optional(v.pipe(v.number(), v.integer(), v.minValue(1)));

/** Gives new addresses to triggers that listen where those of another workflow do. For a user only, who has seen the refusal. */
const isElsewhere = hidden(optional(v.boolean()));

/** The connection that a command is about; by default the active one. */
type ConnectionId = ReturnType<typeof connectionIdSchema>;

function connectionIdSchema(activeConnectionId: () => string) {
  return hidden(
    v.pipe(
      v.nullish(v.string(), ''),
      v.transform((id) => (id === '' ? activeConnectionId() : id)),
    ),
  );
}

function workflowSchemas(connectionId: ConnectionId) {
  // The connection comes last, so that other mistakes are reported first.
  const workflow = { workflowId: text, connectionId };
  const execution = v.object({ ...workflow, input: optional(jsonObject) });
  return {
    'workflow.list': v.object({ limit }),
    'workflow.create': v.object({ definition: jsonObject }),
    'workflow.import': v.object({ definition: jsonObject }),
    'workflow.export': v.object(workflow),
    /** nodeId: the node to select in the definition. */
    'workflow.open': v.object({ ...workflow, nodeId: optionalText }),
    'workflow.rename': v.object({ ...workflow, name: asked(optionalText) }),
    'workflow.delete': v.object(workflow),
    'workflow.duplicate': v.object({ ...workflow, name: optionalText }),
    'workflow.deploy': v.object({ ...workflow, isElsewhere }),
    'workflow.undeploy': v.object(workflow),
    'workflow.unarchive': v.object(workflow),
    'workflow.showProblems': v.object(workflow),
    'workflow.compareWithDeployed': v.object(workflow),
    'workflow.chooseExecution': v.object({ ...workflow, executionId: asked(optionalText) }),
    'workflow.showLatestExecution': v.object(workflow),
    /** nodeId: a node of the loop; by default the one with the cursor. */
    'workflow.previousIteration': v.object({ ...workflow, nodeId: optionalText }),
    'workflow.nextIteration': v.object({ ...workflow, nodeId: optionalText }),
    'definitions.toggleExecution': nothing,
    /** nodeId: the node that the expression is evaluated for. The execution: by default the one that the definition shows. */
    'workflow.evaluateExpression': v.object({
      ...workflow,
      expression: asked(optionalText),
      nodeId: optionalText,
      path: hidden(optional(v.array(v.string()))),
      executionId: optionalText,
    }),
    'workflow.showGraph': v.object(workflow),
    'workflow.copyAsCurl': execution,
    'workflow.copyAsFetch': execution,
    'workflow.copyAsPython': execution,
    'workflow.copyId': v.object(workflow),
    'workflow.openInN8n': v.object(workflow),
    'workflow.openInput': v.object({ ...workflow, input: optional(jsonObject) }),
    'workflow.execute': v.object({
      ...workflow,
      input: asked(optional(jsonObject)),
      /** The name of the node that it begins at, where a service has several. */
      trigger: optionalText,
      /** The input document to execute with. */
      inputUri: hidden(optionalText),
      /** Executes with the workflow's draft or last input instead of showing it first. */
      isAtOnce: hidden(optional(v.boolean())),
      /** Asks at which trigger to begin, also where one was chosen before. */
      asksTrigger: hidden(optional(v.boolean())),
      /** Sends an input that the trigger's schema doesn't allow. */
      isConfirmed: hidden(optional(v.boolean())),
    }),
    'workflow.inputHistory': v.object(workflow),
    'workflow.inputPresets': v.object(workflow),
    'workflow.saveInputPreset': v.object({
      ...workflow,
      input: asked(optional(jsonObject)),
      fileUri: asked(optionalText),
    }),
    'preset.execute': v.object({ fileUri: text, workflowId: asked(optionalText), connectionId }),
    'workflows.refresh': nothing,
    'workflows.loadMore': v.object({ kind: row('more'), workflowId: optionalText, connectionId }),
    'workflows.filter': nothing,
    'workflows.clearFilter': nothing,
  };
}

function draftSchemas(connectionId: ConnectionId) {
  const workflow = { workflowId: text, connectionId };
  return {
    /** definition: by default the text of its open document, or else the saved one. */
    'workflow.executeDraft': v.object({
      ...workflow,
      definition: optional(jsonObject),
      input: optional(jsonObject),
      /** The name of the node that it begins at, where a service has several. */
      trigger: optionalText,
      pinned: optional(jsonObject),
      until: optionalText,
      only: optionalText,
      basedOn: optionalText,
      /** From 0, one number for each loop around the node `only`. */
      iteration: optional(ExecuteDraftRequest.entries.iteration.wrapped),
    }),
    /** nodeId: for a user by default the one with the cursor. */
    'node.execute': v.object({ ...workflow, nodeId: asked(optionalText) }),
    'node.executeUpTo': v.object({ ...workflow, nodeId: asked(optionalText) }),
    'node.editPin': v.object({ ...workflow, nodeId: asked(optionalText) }),
    'node.removePin': v.object({ ...workflow, nodeId: asked(optionalText) }),
    'node.editCode': v.object({ ...workflow, nodeId: asked(optionalText) }),
  };
}

const executionsFilter = v.object({
  kind: noRow,
  workflowId: optionalText,
  status: optional(v.union([v.picklist(executionStatuses), v.array(v.picklist(executionStatuses))])),
  within: optional(v.picklist(['hour', 'day', 'week'])),
  /** A date, with or without a time. */
  since: optionalText,
  /** false: without them. */
  drafts: optional(v.boolean()),
});

function executionSchemas(connectionId: ConnectionId) {
  const execution = { executionId: text, connectionId };
  return {
    'execution.list': v.object({ workflowId: optionalText, status: optionalText, limit }),
    'execution.open': v.object(execution),
    'execution.openInput': v.object(execution),
    'execution.openOutput': v.object(execution),
    'execution.openLog': v.object(execution),
    'execution.openTimeline': v.object(execution),
    'execution.openDefinition': v.object(execution),
    'execution.searchLog': v.object({ ...execution, text: asked(optionalText) }),
    /** text: for a user the one that was searched for last. */
    'execution.nextMatch': v.object({ ...execution, text: asked(optionalText) }),
    'execution.previousMatch': v.object({ ...execution, text: asked(optionalText) }),
    'execution.filterLog': v.object({
      ...execution,
      /** This level and more severe ones. */
      level: optional(v.picklist(logLevels)),
      nodeId: optionalText,
      text: optionalText,
    }),
    'execution.saveLog': v.object({ ...execution, fileUri: asked(optionalText) }),
    'execution.openFirstError': v.object(execution),
    'execution.showEarlierLines': v.object(execution),
    'execution.showLaterLines': v.object(execution),
    'execution.showLatestLines': v.object(execution),
    'execution.showLogs': v.object(execution),
    'execution.stopFollowing': v.object(execution),
    'execution.cancel': v.object(execution),
    'execution.cancelFollowed': nothing,
    /** fromNodeId: by default the node that failed. definition: by default the one that it ran. */
    'execution.retry': v.object({
      ...execution,
      fromNodeId: optionalText,
      definition: optional(v.picklist(['same', 'deployed'])),
    }),
    'execution.rerun': v.object(execution),
    'execution.editInput': v.object(execution),
    'execution.compare': v.object({ ...execution, otherExecutionId: asked(optionalText) }),
    'execution.compareWithLastSuccess': v.object(execution),
    'execution.openFailedNode': v.object(execution),
    'execution.openRetried': v.object(execution),
    'execution.openRetry': v.object(execution),
    'execution.openParent': v.object(execution),
    /** stopAt: by default the failure of an execution that failed, else its first node run. */
    'execution.debug': v.object({ ...execution, stopAt: optional(v.picklist(['start', 'failure'])) }),
    'execution.showInDefinition': v.object(execution),
    'execution.showInGraph': v.object(execution),
    'execution.copyReport': v.object(execution),
    /** nodeRunKey: the node run that the link leads to. */
    'execution.copyLink': v.object({ ...execution, nodeRunKey: optionalText }),
    'execution.openLink': v.object({ link: text }),
    'execution.copyId': v.object(execution),
    /** nodeRunKey: the node run that is selected there. */
    'execution.openInN8n': v.object({ ...execution, nodeRunKey: optionalText }),
    'comparison.openDiff': v.object({ comparisonUri: text }),
    'comparison.ignoreField': v.object({ field: text }),
    'executions.refresh': nothing,
    'executions.loadMore': nothing,
    'executions.filter': executionsFilter,
    'executions.clearFilter': nothing,
  };
}

function nodeRunSchemas(connectionId: ConnectionId) {
  const nodeRun = v.union([
    v.object({ executionId: text, nodeRunKey: text, connectionId }),
    v.object({ executionId: text, nodeId: text, connectionId }),
  ]);
  return {
    'nodeRun.open': nodeRun,
    'nodeRun.openLog': nodeRun,
    'nodeRun.revealInDefinition': nodeRun,
    'nodeRun.retry': nodeRun,
    'nodeRun.openChild': nodeRun,
    'nodeRun.pinOutput': nodeRun,
    'nodeRun.copyNodeId': nodeRun,
    'nodeRun.copyAsCurl': nodeRun,
  };
}

function portalEventSchemas(connectionId: ConnectionId) {
  const event = { eventId: text, connectionId };
  return {
    'portalEvents.list': v.object({ limit }),
    'portalEvents.refresh': nothing,
    'portalEvents.loadMore': nothing,
    'portalEvents.filter': v.object({
      kind: noRow,
      type: optionalText,
      workflowId: optionalText,
      nodeEvents: optional(v.boolean()),
    }),
    'portalEvents.clearFilter': nothing,
    'portalEvents.markAllRead': nothing,
    'portalEvents.send': v.object({ type: text, data: optional(jsonObject), workflowId: optionalText }),
    'portalEvent.open': v.object(event),
    'portalEvent.copyPayload': v.object(event),
    'portalEvent.copyAsInput': v.object(event),
    'portalEvent.executeWith': v.object({ ...event, workflowId: asked(optionalText) }),
    'portalEvent.showExecution': v.object(event),
  };
}

/** Returns the schemas of all commands. `activeConnectionId` throws when there is no connection. */
export function createCommandSchemas(activeConnectionId: () => string) {
  const connectionId = connectionIdSchema(activeConnectionId);
  return {
    ...connectionSchemas,
    ...workflowSchemas(connectionId),
    ...draftSchemas(connectionId),
    ...executionSchemas(connectionId),
    ...nodeRunSchemas(connectionId),
    ...portalEventSchemas(connectionId),
  } satisfies Record<CommandName, v.GenericSchema>;
}

export type CommandSchemas = ReturnType<typeof createCommandSchemas>;

/** The decoded argument that a command runs with. */
export type CommandArgument<N extends CommandName> = v.InferOutput<CommandSchemas[N]>;

/** The argument that a row, a lens or a button passes; the user is asked for missing members. */
export type OfferedArgument<N extends CommandName> = v.InferInput<CommandSchemas[N]>;

type AskedMembers<Entries> = {
  [Member in keyof Entries]: Entries[Member] extends { readonly isAsked: true } ? Member : never;
}[keyof Entries];

/** The argument that code passes, with every member that a user would be asked for. */
export type CodeArgument<N extends CommandName> = OfferedArgument<N> &
  (CommandSchemas[N] extends { readonly entries: infer Entries }
    ? {
        readonly [Member in AskedMembers<Entries>]: Entries[Member] extends v.GenericSchema
          ? NonNullable<v.InferInput<Entries[Member]>>
          : never;
      }
    : unknown);

/** The commands without an argument. */
export type PlainCommandName = {
  [N in CommandName]: keyof OfferedArgument<N> extends never ? N : never;
}[CommandName];
