// The commands on a definition: what it shows of an execution, drafts of it, and its nodes.
import * as v from 'valibot';
import type { JsonValue } from '../../../base/json.ts';
import { ExecuteDraftRequest } from '../../../protocol/requests.ts';
import { contextKeys } from '../../ids.ts';
import { asked, hidden, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inDefinition, not, onWorkflow, rowIs, typing } from '../when.ts';
import { type ExecuteResult, jsonObject, nothing, workflow } from './members.ts';

/** nodeId: for a user by default the node with the cursor. */
const node = v.object({ ...workflow, nodeId: asked(optionalText) });

/** The iteration of a loop that a definition shows, from 1, and how many there are. */
interface SelectedIteration {
  readonly nodeId: string;
  readonly iteration: number;
  readonly iterations: number;
}

export const definitionCommands = {
  'workflow.showProblems': {
    argument: v.object(workflow),
    /** Lines and columns begin at 1. */
    result: returns<
      readonly {
        readonly message: string;
        readonly line: number;
        readonly column: number;
      }[]
    >(),
    title: 'Show Problems in Definition',
    icon: '$(warning)',
  },
  'workflow.chooseExecution': {
    argument: v.object({ ...workflow, executionId: asked(optionalText) }),
    result: returns<{ readonly executionId: string }>(),
    title: 'Choose Execution to Show in Definition…',
    menus: [{ menu: 'editor/title', groups: ['3_execution@1'], when: [inDefinition] }],
  },
  'workflow.showLatestExecution': {
    argument: v.object(workflow),
    title: 'Show Latest Execution in Definition',
    menus: [{ menu: 'editor/title', groups: ['3_execution@2'], when: [inDefinition] }],
  },
  'workflow.previousIteration': {
    /** nodeId: a node of the loop; by default the one with the cursor. */
    argument: v.object({ ...workflow, nodeId: optionalText }),
    result: returns<SelectedIteration>(),
    title: 'Show Previous Loop Iteration',
    palette: [inDefinition],
    keys: [{ key: 'ctrl+alt+pageup', mac: 'cmd+alt+pageup', when: [typing, inDefinition] }],
  },
  'workflow.nextIteration': {
    argument: v.object({ ...workflow, nodeId: optionalText }),
    result: returns<SelectedIteration>(),
    title: 'Show Next Loop Iteration',
    palette: [inDefinition],
    keys: [{ key: 'ctrl+alt+pagedown', mac: 'cmd+alt+pagedown', when: [typing, inDefinition] }],
  },
  'definitions.toggleExecution': {
    argument: nothing,
    result: returns<{ readonly isShown: boolean }>(),
    title: 'Toggle Execution in Definitions',
    menus: [{ menu: 'editor/title', groups: ['3_execution@3'], when: [inDefinition] }],
  },
  'workflow.evaluateExpression': {
    /** nodeId: the node that the expression is evaluated for. The execution: by default the one that the definition shows. */
    argument: v.object({
      ...workflow,
      expression: asked(optionalText),
      nodeId: optionalText,
      path: hidden(optional(v.array(v.string()))),
      executionId: optionalText,
    }),
    result: returns<{ readonly executionId: string; readonly value: JsonValue }>(),
    title: 'Evaluate Expression',
    palette: [inDefinition],
    keys: [{ key: 'alt+enter', when: [typing, inDefinition] }],
  },
  'workflow.showGraph': {
    argument: v.object(workflow),
    title: 'Show Workflow Graph',
    shortTitle: 'Graph',
    icon: '$(type-hierarchy)',
    menus: [
      { menu: 'view/item/context', groups: ['1_run@3'], when: onWorkflow },
      { menu: 'editor/title', groups: ['navigation@4'], when: [inDefinition] },
    ],
  },
  'workflow.executeDraft': {
    /** definition: by default the text of its open document, or else the saved one. */
    argument: v.object({
      ...workflow,
      definition: optional(jsonObject),
      input: optional(jsonObject),
      /** The name of the node that it begins at, where a service has several. */
      trigger: optionalText,
      pinned: optional(jsonObject),
      /** The answers to HTTP request nodes, by node id: one for each attempt. */
      answers: optional(ExecuteDraftRequest.entries.answers.wrapped),
      until: optionalText,
      only: optionalText,
      basedOn: optionalText,
      /** From 0, one number for each loop around the node `only`. */
      iteration: optional(ExecuteDraftRequest.entries.iteration.wrapped),
    }),
    result: returns<ExecuteResult>(),
    title: 'Execute as Draft',
    palette: [contextKeys.hasConnection, contextKeys['can.draft'], not(contextKeys.isArchivedInFront)],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['1_run@4'],
        when: [...onWorkflow, not(rowIs('archived')), contextKeys['can.draft']],
      },
      {
        menu: 'editor/title',
        groups: ['0_run@1'],
        when: [inDefinition, contextKeys['can.draft'], not(contextKeys.isArchivedInFront)],
      },
    ],
  },
  'node.execute': {
    argument: node,
    result: returns<ExecuteResult>(),
    title: 'Execute Node',
    palette: [
      contextKeys.hasConnection,
      contextKeys['can.draft'],
      not(contextKeys['lacks.executeNodeAlone']),
      inDefinition,
      not(contextKeys.isArchivedInFront),
    ],
  },
  'node.executeUpTo': {
    argument: node,
    result: returns<ExecuteResult>(),
    title: 'Execute up to Here',
    palette: [
      contextKeys.hasConnection,
      contextKeys['can.draft'],
      inDefinition,
      not(contextKeys.isArchivedInFront),
    ],
  },
  'node.editPin': {
    argument: node,
    /** The URI of the pin's document. */
    result: returns<string>(),
    title: 'Edit Pin',
    palette: [contextKeys.hasConnection, contextKeys['can.draft']],
  },
  'node.answerRequest': {
    argument: node,
    /** The URI of the document of the answers. */
    result: returns<string>(),
    title: 'Answer Request…',
    palette: [contextKeys.hasConnection, contextKeys['can.answers']],
  },
  'node.removePin': {
    argument: node,
    result: returns<{ readonly nodeId: string }>(),
    title: 'Remove Pin',
    palette: [contextKeys.hasConnection, contextKeys['can.draft']],
  },
  'node.editCode': {
    argument: node,
    /** The URI of the code's document. */
    result: returns<string>(),
    title: 'Edit Code',
    palette: [contextKeys.hasConnection, 'resourceFilename =~ /^.+\\.n8n\\.workflow\\.json$/'],
  },
} satisfies Declarations;
