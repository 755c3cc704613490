// The commands on executions and the list of them.
import * as v from 'valibot';
import { executionStatuses } from '../../../domain/status.ts';
import { contextKeys } from '../../ids.ts';
import { noRow, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import {
  executionInFrontIs,
  inConnectedView,
  inDocument,
  inExecutionViews,
  inPart,
  inView,
  never,
  not,
  onExecution,
  onNodeRun,
  rowIs,
} from '../when.ts';
import { type ExecuteResult, execution, limit, nothing, text } from './members.ts';

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

export const executionCommands = {
  'execution.list': {
    argument: v.object({ workflowId: optionalText, status: optionalText, limit }),
    result: returns<
      readonly {
        readonly id: string;
        readonly workflowId: string | null;
        readonly status: string;
      }[]
    >(),
    title: 'List Executions…',
    icon: '$(list-unordered)',
    menus: [{ menu: 'view/title', groups: ['1_list@1'], when: inConnectedView('executions') }],
  },
  'execution.open': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Execution Details',
    shortTitle: 'Details',
    icon: '$(info)',
    menus: [
      { menu: 'execution.openMenu', groups: ['1_open@6'] },
      {
        menu: 'editor/title',
        groups: ['navigation@5'],
        when: [inDocument('execution'), not(inPart('details'))],
      },
    ],
  },
  'execution.openInput': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Execution Input',
    shortTitle: 'Input',
    icon: '$(sign-in)',
    menus: [
      { menu: 'execution.openMenu', groups: ['1_open@4'] },
      {
        menu: 'editor/title',
        groups: ['navigation@4'],
        when: [inDocument('execution'), not(inPart('input'))],
      },
    ],
  },
  'execution.openOutput': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Execution Output',
    shortTitle: 'Output',
    icon: '$(output)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@2'],
        when: [inExecutionViews, rowIs('execution,(?!failed)[^,]+')],
      },
      {
        menu: 'view/item/context',
        groups: ['inline@2'],
        when: [...onExecution, rowIs('failed'), not(contextKeys['can.retry'])],
      },
      { menu: 'execution.openMenu', groups: ['1_open@1'] },
      {
        menu: 'editor/title',
        groups: ['navigation@1'],
        when: [inDocument('execution'), not(inPart('output'))],
      },
    ],
  },
  'execution.openTimeline': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Execution Timeline',
    shortTitle: 'Timeline',
    icon: '$(timeline-view-icon)',
    menus: [
      { menu: 'execution.openMenu', groups: ['1_open@3'] },
      {
        menu: 'editor/title',
        groups: ['navigation@3'],
        when: [inDocument('execution'), not(inPart('timeline'))],
      },
    ],
  },
  'execution.openDefinition': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Definition That Execution Ran',
    shortTitle: 'Definition',
    icon: '$(json)',
    palette: [contextKeys.hasConnection, contextKeys['can.definition']],
    menus: [
      { menu: 'execution.openMenu', groups: ['1_open@5'], when: [contextKeys['can.definition']] },
      {
        menu: 'editor/title',
        groups: ['execution@1'],
        when: [inDocument('execution'), contextKeys['can.definition'], not(inPart('definition'))],
      },
    ],
  },
  'execution.cancel': {
    argument: v.object(execution),
    /** The status after the call: what still has to end is cancelled soon after. */
    result: returns<{ readonly executionId: string; readonly status: string }>(),
    title: 'Cancel Execution',
    shortTitle: 'Cancel',
    icon: '$(debug-stop)',
    palette: [contextKeys.hasConnection, contextKeys['can.cancel']],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '0_act@1'],
        when: [inExecutionViews, rowIs('cancellable'), contextKeys['can.cancel']],
      },
      {
        menu: 'editor/title',
        groups: ['navigation@0'],
        when: [inDocument('execution'), executionInFrontIs('cancellable'), contextKeys['can.cancel']],
      },
    ],
  },
  'execution.retry': {
    /** fromNodeId: by default the node that failed. definition: by default the one that it ran. */
    argument: v.object({
      ...execution,
      fromNodeId: optionalText,
      definition: optional(v.picklist(['same', 'deployed'])),
    }),
    result: returns<ExecuteResult>(),
    title: 'Retry from Failed Node',
    shortTitle: 'Retry',
    icon: '$(debug-continue)',
    palette: [contextKeys.hasConnection, contextKeys['can.retry']],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@2'],
        when: [...onExecution, rowIs('failed'), contextKeys['can.retry']],
      },
      {
        menu: 'view/item/context',
        groups: ['inline@1'],
        when: [...onExecution, rowIs('cancelled'), contextKeys['can.retry']],
      },
      {
        menu: 'view/item/context',
        groups: ['0_act@1'],
        when: [...onExecution, rowIs('(failed|cancelled)'), contextKeys['can.retry']],
      },
      {
        menu: 'editor/title',
        groups: ['navigation@0'],
        when: [inDocument('execution'), executionInFrontIs('retryable'), contextKeys['can.retry']],
      },
    ],
  },
  'execution.rerun': {
    /** isOneOfMany: started for many rows at once, of which a few are followed. */
    argument: v.object({ ...execution, isOneOfMany: optional(v.boolean()) }),
    result: returns<ExecuteResult>(),
    title: 'Execute Again',
    icon: '$(debug-restart)',
    menus: [{ menu: 'view/item/context', groups: ['3_run@1'], when: onExecution }],
  },
  'execution.editInput': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Edit Input and Execute',
    icon: '$(edit)',
    menus: [{ menu: 'view/item/context', groups: ['3_run@2'], when: onExecution }],
  },
  'execution.openFailedNode': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Failed Node',
    icon: '$(go-to-file)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '0_failure@1'],
        when: [...onExecution, rowIs('failed')],
      },
    ],
  },
  'execution.openRetried': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Retried Execution',
    icon: '$(history)',
    palette: [contextKeys.hasConnection, contextKeys['can.retry']],
    menus: [
      { menu: 'view/item/context', groups: ['1_open@11'], when: [...onExecution, rowIs('retry')] },
      {
        menu: 'editor/title',
        groups: ['2_retry@1'],
        when: [inDocument('execution'), executionInFrontIs('retry')],
      },
    ],
  },
  'execution.openRetry': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Retry',
    icon: '$(history)',
    palette: [contextKeys.hasConnection, contextKeys['can.retry']],
    menus: [
      { menu: 'view/item/context', groups: ['1_open@12'], when: [...onExecution, rowIs('retried')] },
      {
        menu: 'editor/title',
        groups: ['2_retry@2'],
        when: [inDocument('execution'), executionInFrontIs('retried')],
      },
    ],
  },
  'execution.openParent': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Parent Execution',
    palette: [contextKeys.hasConnection, contextKeys.takesMcpToken],
    menus: [
      { menu: 'view/item/context', groups: ['1_open@13'], when: [...onExecution, rowIs('child')] },
      {
        menu: 'editor/title',
        groups: ['2_retry@3'],
        when: [inDocument('execution'), executionInFrontIs('child')],
      },
    ],
  },
  'execution.debug': {
    /** stopAt: by default the failure of an execution that failed, else its first node run. "breakpoint": the first one, or else the first node run. */
    argument: v.object({ ...execution, stopAt: optional(v.picklist(['start', 'failure', 'breakpoint'])) }),
    /** When the session has stopped for the first time. */
    result: returns<Readonly<Record<string, never>>>(),
    title: 'Debug Execution',
    icon: '$(debug-alt)',
    menus: [
      { menu: 'view/item/context', groups: ['1_open@14'], when: onExecution },
      { menu: 'editor/title', groups: ['1_debug@1'], when: [inDocument('execution')] },
    ],
  },
  'execution.showInDefinition': {
    argument: v.object(execution),
    /** The URI of the definition. */
    result: returns<string>(),
    title: 'Show in Definition',
    icon: '$(go-to-file)',
    menus: [{ menu: 'view/item/context', groups: ['1_open@9'], when: onExecution }],
  },
  'execution.showInGraph': {
    argument: v.object(execution),
    title: 'Show in Graph',
    icon: '$(type-hierarchy)',
    menus: [{ menu: 'view/item/context', groups: ['1_open@10'], when: onExecution }],
  },
  'execution.copyReport': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Copy Execution Report',
    icon: '$(clippy)',
    menus: [{ menu: 'execution.copyMenu', groups: ['1_report'] }],
  },
  'execution.copyLink': {
    /** nodeRunKey: the node run that the link leads to. */
    argument: v.object({ ...execution, nodeRunKey: optionalText }),
    result: returns<string>(),
    title: 'Copy Link to Execution',
    icon: '$(link)',
    menus: [
      { menu: 'view/item/context', groups: ['4_copy@1'], when: onNodeRun },
      { menu: 'execution.copyMenu', groups: ['2_id@1'] },
      { menu: 'editor/context', groups: ['9_cutcopypaste@9'], when: [inDocument('execution')] },
    ],
  },
  'execution.openLink': {
    argument: v.object({ link: text }),
    /** The document's URI. */
    result: returns<string>(),
    title: 'Open Link to Execution…',
    icon: '$(link)',
    menus: [{ menu: 'view/title', groups: ['1_list@2'], when: inConnectedView('executions') }],
  },
  'execution.copyId': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Copy Execution ID',
    icon: '$(copy)',
    palette: never,
    menus: [{ menu: 'execution.copyMenu', groups: ['2_id@2'] }],
  },
  'execution.openInN8n': {
    /** nodeRunKey: the node run that is selected there. */
    argument: v.object({ ...execution, nodeRunKey: optionalText }),
    result: returns<string>(),
    title: 'Open Execution in n8n',
    palette: [contextKeys.takesMcpToken],
    menus: [
      { menu: 'view/item/context', groups: ['2_browser'], when: [...onNodeRun, contextKeys.takesMcpToken] },
      { menu: 'execution.openMenu', groups: ['2_browser'], when: [contextKeys.takesMcpToken] },
    ],
  },
  'executions.refresh': {
    argument: nothing,
    title: 'Refresh Executions',
    icon: '$(refresh)',
    menus: [{ menu: 'view/title', groups: ['0_view@1'], when: inConnectedView('executions') }],
  },
  'executions.loadMore': {
    argument: nothing,
    title: 'Load More Executions',
    palette: never,
  },
  'executions.filter': {
    argument: executionsFilter,
    result: returns<null>(),
    title: 'Filter Executions…',
    icon: '$(filter)',
    menus: [
      {
        menu: 'view/title',
        groups: ['navigation@1'],
        when: [...inConnectedView('executions'), not(contextKeys.executionSearch)],
      },
    ],
  },
  'executions.clearFilter': {
    argument: nothing,
    title: 'Clear Executions Filter',
    icon: '$(clear-all)',
    enablement: contextKeys.hasExecutionFilter,
    menus: [
      {
        menu: 'view/title',
        groups: ['0_view@2'],
        when: [inView('executions'), contextKeys.hasExecutionFilter],
      },
    ],
  },
} satisfies Declarations;
