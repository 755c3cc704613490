// The commands on node runs.
import * as v from 'valibot';
import { contextKeys } from '../../ids.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inDocument, inExecutionViews, never, not, onNodeRun, rowIs } from '../when.ts';
import { type ExecuteResult, connectionId, text } from './members.ts';

const nodeRun = v.union([
  v.object({ executionId: text, nodeRunKey: text, connectionId }),
  v.object({ executionId: text, nodeId: text, connectionId }),
]);

export const nodeRunCommands = {
  'nodeRun.open': {
    argument: nodeRun,
    result: returns<string>(),
    title: 'Open Node Run',
    icon: '$(json)',
    palette: never,
    menus: [{ menu: 'view/item/context', groups: ['1_read@1'], when: onNodeRun }],
  },
  'nodeRun.openLog': {
    argument: nodeRun,
    result: returns<string>(),
    title: 'Show Node in Execution Log',
    shortTitle: 'Show in Log',
    palette: never,
    menus: [{ menu: 'view/item/context', groups: ['1_read@3'], when: onNodeRun }],
  },
  'nodeRun.revealInDefinition': {
    argument: nodeRun,
    /** The URI of the definition. */
    result: returns<string>(),
    title: 'Reveal Node in Definition',
    icon: '$(go-to-file)',
    palette: [inDocument('execution')],
    menus: [
      { menu: 'view/item/context', groups: ['inline@1', '1_read@2'], when: onNodeRun },
      {
        menu: 'editor/context',
        groups: ['navigation@1'],
        when: [inDocument('execution'), 'resourceExtname =~ /^\\.(log|txt)$/'],
      },
    ],
  },
  'nodeRun.retry': {
    argument: nodeRun,
    result: returns<ExecuteResult>(),
    title: 'Retry from Here',
    icon: '$(debug-continue)',
    palette: never,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['0_act@1'],
        when: [
          ...onNodeRun,
          rowIs('retryable'),
          contextKeys['can.retry'],
          not(contextKeys['lacks.retryFromNode']),
        ],
      },
    ],
  },
  'nodeRun.openChild': {
    argument: nodeRun,
    result: returns<string>(),
    title: 'Open Child Execution',
    palette: never,
    menus: [{ menu: 'view/item/context', groups: ['1_open@13'], when: [...onNodeRun, rowIs('parent')] }],
  },
  'nodeRun.pinOutput': {
    argument: nodeRun,
    result: returns<{ readonly workflowId: string; readonly nodeId: string }>(),
    title: 'Pin Output',
    icon: '$(pin)',
    palette: [contextKeys.hasConnection, contextKeys['can.draft']],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['0_act@2'],
        when: [...onNodeRun, rowIs('pinnable'), contextKeys['can.draft']],
      },
    ],
  },
  'nodeRun.answerRequest': {
    argument: nodeRun,
    /** The URI of the document of the answers. */
    result: returns<string>(),
    title: 'Answer Request of Node Run…',
    shortTitle: 'Answer Request…',
    icon: '$(reply)',
    palette: never,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['0_act@3'],
        when: [...onNodeRun, rowIs('answerable'), contextKeys['can.answers']],
      },
    ],
  },
  'nodeRun.copyAsCurl': {
    argument: nodeRun,
    result: returns<string>(),
    title: 'Copy Request as cURL',
    palette: never,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['4_copy@3'],
        when: [inExecutionViews, rowIs('nodeRun,(.*,)?request')],
      },
    ],
  },
} satisfies Declarations;
