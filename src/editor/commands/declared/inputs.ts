// The commands on inputs, and those that execute with them.
import * as v from 'valibot';
import type { JsonObject } from '../../../base/json.ts';
import { contextKeys } from '../../ids.ts';
import { asked, hidden, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inDefinition, inDefinitionOrInput, inDocument, not, onWorkflow, rowIs, typing } from '../when.ts';
import { type ExecuteResult, connectionId, jsonObject, text, workflow } from './members.ts';

export const inputCommands = {
  'workflow.copyAs': {
    /** input: of the request that executes it. Default: the one at hand. */
    argument: v.object({
      ...workflow,
      as: asked(optional(v.picklist(['curl', 'fetch', 'python', 'id']))),
      input: optional(jsonObject),
    }),
    result: returns<string>(),
    title: 'Copy Workflow as…',
    menus: [{ menu: 'view/item/context', groups: ['4_copy'], when: onWorkflow }],
  },
  'workflow.openInput': {
    argument: v.object({ ...workflow, input: optional(jsonObject) }),
    result: returns<string>(),
    title: 'Open Input',
    shortTitle: 'Input',
    icon: '$(json)',
    menus: [
      { menu: 'workflow.openMenu', groups: ['1_open@2'] },
      { menu: 'editor/title', groups: ['navigation@3'], when: [inDefinition] },
    ],
  },
  'workflow.execute': {
    argument: v.object({
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
    result: returns<ExecuteResult>(),
    title: 'Execute Workflow',
    shortTitle: 'Execute',
    icon: '$(play)',
    palette: [contextKeys.hasConnection, not(contextKeys.isArchivedInFront)],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '1_run@1'],
        when: [...onWorkflow, not(rowIs('archived'))],
      },
      {
        menu: 'editor/title/run',
        groups: ['navigation@1'],
        when: [inDefinitionOrInput, not(contextKeys.isArchivedInFront)],
      },
    ],
    keys: [{ key: 'ctrl+enter', mac: 'cmd+enter', when: [typing, inDefinitionOrInput] }],
  },
  'workflow.inputHistory': {
    argument: v.object(workflow),
    result: returns<readonly { readonly input: JsonObject; readonly usedAt: string }[]>(),
    title: 'Input History…',
    icon: '$(history)',
    menus: [
      { menu: 'workflow.openMenu', groups: ['2_input@1'] },
      { menu: 'editor/title', groups: ['1_input@1'], when: [inDefinition] },
      { menu: 'editor/title', groups: ['1_input@1'], when: [inDocument('input')] },
    ],
  },
  'workflow.inputPresets': {
    argument: v.object(workflow),
    result: returns<readonly { readonly name: string; readonly uri: string }[]>(),
    title: 'Input Presets…',
    icon: '$(files)',
    menus: [
      { menu: 'workflow.openMenu', groups: ['2_input@2'] },
      { menu: 'editor/title', groups: ['1_input@2'], when: [inDefinition] },
      { menu: 'editor/title', groups: ['1_input@2'], when: [inDocument('input')] },
    ],
  },
  'workflow.saveInputPreset': {
    argument: v.object({
      ...workflow,
      input: asked(optional(jsonObject)),
      fileUri: asked(optionalText),
    }),
    result: returns<{ readonly fileUri: string }>(),
    title: 'Save Input as Preset…',
    icon: '$(save)',
    menus: [{ menu: 'editor/title', groups: ['1_input@3'], when: [inDocument('input')] }],
  },
  'preset.execute': {
    argument: v.object({ fileUri: text, workflowId: asked(optionalText), connectionId }),
    result: returns<ExecuteResult>(),
    title: 'Execute Workflow with Preset…',
    icon: '$(play)',
    menus: [
      {
        menu: 'explorer/context',
        groups: ['2_workspace'],
        when: [contextKeys.hasConnection, 'resourceFilename =~ /^.+\\.input\\.json$/'],
      },
    ],
  },
} satisfies Declarations;
