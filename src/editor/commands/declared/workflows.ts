// The commands on workflows and the list of them.
import * as v from 'valibot';
import type { JsonObject } from '../../../base/json.ts';
import { contextKeys } from '../../ids.ts';
import { asked, hidden, optional, optionalText, row } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import {
  inConnectedView,
  inDefinitionOrInput,
  inDocument,
  inLinkedFile,
  inView,
  never,
  not,
  onWorkflow,
  rowIs,
} from '../when.ts';
import { connectionId, jsonObject, limit, nothing, workflow } from './members.ts';

/** Gives new addresses to triggers that listen where those of another workflow do. For a user only, who has seen the refusal. */
const isElsewhere = hidden(optional(v.boolean()));

interface WorkflowDeployment {
  readonly workflowId: string;
  readonly isDeployed: boolean;
}

export const workflowCommands = {
  'workflow.list': {
    argument: v.object({ limit }),
    result: returns<
      readonly {
        readonly id: string;
        readonly name: string;
        readonly isDeployed: boolean | null;
      }[]
    >(),
    title: 'List Workflows…',
    icon: '$(list-unordered)',
    menus: [{ menu: 'view/title', groups: ['1_workflows@1'], when: inConnectedView('workflows') }],
  },
  'workflow.create': {
    argument: v.object({ definition: jsonObject }),
    result: returns<{ readonly workflowId: string }>(),
    title: 'Create Workflow…',
    icon: '$(add)',
    menus: [{ menu: 'view/title', groups: ['navigation@1'], when: inConnectedView('workflows') }],
  },
  'workflow.import': {
    argument: v.object({ definition: jsonObject }),
    result: returns<{ readonly workflowId: string }>(),
    title: 'Import Workflow…',
    icon: '$(desktop-download)',
    menus: [
      {
        menu: 'view/title',
        groups: ['1_workflows@3'],
        when: [...inConnectedView('workflows'), not(contextKeys['cannot.importWorkflow'])],
      },
    ],
  },
  'workflow.export': {
    argument: v.object(workflow),
    /** The definition. */
    result: returns<JsonObject>(),
    title: 'Export Workflow…',
    shortTitle: 'Export…',
    icon: '$(export)',
    menus: [
      { menu: 'view/item/context', groups: ['3_edit@4'], when: onWorkflow },
      { menu: 'editor/title', groups: ['2_definition@2'], when: [inDocument('definition')] },
    ],
  },
  'workflow.open': {
    /**
     * nodeId: the node to select in the definition. isFile: to open the file that is linked to the workflow, if there's one; by default for a
     * user.
     */
    argument: v.object({ ...workflow, nodeId: optionalText, isFile: hidden(optional(v.boolean())) }),
    /** The document's URI; the same for every command that opens a document. */
    result: returns<string>(),
    title: 'Open Definition',
    shortTitle: 'Definition',
    icon: '$(go-to-file)',
    menus: [
      { menu: 'view/item/context', groups: ['inline@3'], when: onWorkflow },
      { menu: 'workflow.openMenu', groups: ['1_open@1'] },
      { menu: 'editor/title', groups: ['navigation@2'], when: [inDocument('input')] },
    ],
  },
  'workflow.openOnService': {
    argument: v.object(workflow),
    result: returns<string>(),
    title: 'Open Definition on Service',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [{ menu: 'editor/title', groups: ['2_definition@4'], when: [inLinkedFile] }],
  },
  'workflow.openStatistics': {
    argument: v.object(workflow),
    result: returns<string>(),
    title: 'Open Execution Statistics',
    shortTitle: 'Execution Statistics',
    icon: '$(graph)',
    menus: [{ menu: 'workflow.openMenu', groups: ['1_open@3'] }],
  },
  'workflow.rename': {
    argument: v.object({ ...workflow, name: asked(optionalText) }),
    result: returns<{ readonly workflowId: string; readonly name: string }>(),
    title: 'Rename Workflow…',
    icon: '$(edit)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['3_edit@2'],
        when: [...onWorkflow, not(rowIs('archived')), not(contextKeys['cannot.updateWorkflow'])],
      },
    ],
  },
  'workflow.delete': {
    argument: v.object(workflow),
    result: returns<{ readonly workflowId: string }>(),
    title: 'Delete Workflow…',
    icon: '$(trash)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['4_delete'],
        when: [...onWorkflow, not(contextKeys['cannot.deleteWorkflow'])],
      },
    ],
  },
  'workflow.duplicate': {
    argument: v.object({ ...workflow, name: optionalText }),
    result: returns<{ readonly workflowId: string }>(),
    title: 'Duplicate Workflow…',
    icon: '$(copy)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['3_edit@3'],
        when: [...onWorkflow, not(contextKeys['cannot.duplicateWorkflow'])],
      },
    ],
  },
  'workflow.deploy': {
    argument: v.object({ ...workflow, isElsewhere }),
    result: returns<WorkflowDeployment>(),
    title: 'Deploy Workflow',
    shortTitle: 'Deploy',
    icon: '$(rocket)',
    palette: [contextKeys.hasConnection, not(contextKeys.isArchivedInFront)],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@2'],
        when: [inView('workflows'), rowIs('notDeployed'), not(contextKeys['cannot.deployWorkflow'])],
      },
      {
        menu: 'view/item/context',
        groups: ['inline@2'],
        when: [inView('workflows'), rowIs('draftDiffers'), not(contextKeys['cannot.deployWorkflow'])],
      },
      {
        menu: 'view/item/context',
        groups: ['2_deploy@1'],
        when: [...onWorkflow, not(rowIs('archived')), not(contextKeys['cannot.deployWorkflow'])],
      },
      {
        menu: 'editor/title',
        groups: ['navigation@2'],
        when: [
          inDocument('definition'),
          not(contextKeys['cannot.deployWorkflow']),
          not(contextKeys.isArchivedInFront),
        ],
      },
    ],
  },
  'workflow.undeploy': {
    argument: v.object(workflow),
    result: returns<WorkflowDeployment>(),
    title: 'Undeploy Workflow',
    icon: '$(circle-slash)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['2_deploy@3'],
        when: [inView('workflows'), rowIs('deployed'), not(contextKeys['cannot.undeployWorkflow'])],
      },
    ],
  },
  'workflow.unarchive': {
    argument: v.object(workflow),
    result: returns<{ readonly workflowId: string }>(),
    title: 'Unarchive Workflow',
    shortTitle: 'Unarchive',
    icon: '$(discard)',
    palette: [contextKeys.takesMcpToken],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@2', '2_deploy@4'],
        when: [inView('workflows'), rowIs('archived')],
      },
      {
        menu: 'editor/title',
        groups: ['navigation@1'],
        when: [inDefinitionOrInput, contextKeys.isArchivedInFront],
      },
    ],
  },
  'workflow.compareWithDeployed': {
    argument: v.object(workflow),
    result: returns<{ readonly workflowId: string; readonly isDifferent: boolean }>(),
    title: 'Compare with Deployed',
    icon: '$(diff)',
    menus: [
      {
        menu: 'view/item/context',
        groups: ['2_deploy@2'],
        when: [inView('workflows'), rowIs('draftDiffers')],
      },
      { menu: 'editor/title', groups: ['2_definition@1'], when: [inDocument('definition')] },
    ],
  },
  'workflow.openInN8n': {
    argument: v.object(workflow),
    /** The address of the page. */
    result: returns<string>(),
    title: 'Open Workflow in n8n',
    palette: [contextKeys.takesMcpToken],
    menus: [
      { menu: 'view/item/context', groups: ['1_run@9'], when: [...onWorkflow, contextKeys.takesMcpToken] },
    ],
  },
  'workflows.refresh': {
    argument: nothing,
    title: 'Refresh Workflows',
    icon: '$(refresh)',
    menus: [{ menu: 'view/title', groups: ['0_view@1'], when: inConnectedView('workflows') }],
  },
  'workflows.loadMore': {
    argument: v.object({ kind: row('more'), workflowId: optionalText, connectionId }),
    title: 'Load More Workflows',
    palette: never,
  },
  'workflows.filter': {
    argument: nothing,
    title: 'Filter Workflows…',
    icon: '$(filter)',
    menus: [{ menu: 'view/title', groups: ['navigation@2'], when: inConnectedView('workflows') }],
  },
  'workflows.clearFilter': {
    argument: nothing,
    title: 'Clear Workflows Filter',
    icon: '$(clear-all)',
    enablement: contextKeys.hasFilter,
    menus: [{ menu: 'view/title', groups: ['0_view@2'], when: [inView('workflows'), contextKeys.hasFilter] }],
  },
} satisfies Declarations;
