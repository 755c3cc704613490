// The commands on the log of an execution, and those that follow it.
import * as v from 'valibot';
import { logLevels } from '../../../domain/nodeLog.ts';
import { contextKeys } from '../../ids.ts';
import { asked, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import {
  inDocument,
  inExecutionViews,
  inLanguage,
  inPart,
  never,
  not,
  onExecution,
  rowIs,
  typing,
  type When,
} from '../when.ts';
import { execution, nothing } from './members.ts';

/** In the title of a log document. */
const inLog: When = [inDocument('execution'), inPart('log')];
const logInFront: When = [inDocument('execution'), inLanguage('log')];
const typingInLog: When = [typing, inDocument('execution'), 'editorLangId == log'];
const typingInSearchedLog: When = [...typingInLog, contextKeys.hasSearchedLog, '!findWidgetVisible'];

export const executionLogCommands = {
  'execution.openLog': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Open Execution Log',
    shortTitle: 'Log',
    icon: '$(list-selection)',
    menus: [
      { menu: 'execution.openMenu', groups: ['1_open@2'] },
      { menu: 'editor/title', groups: ['navigation@2'], when: [inDocument('execution'), not(inPart('log'))] },
    ],
  },
  'execution.searchLog': {
    argument: v.object({ ...execution, text: asked(optionalText) }),
    /** Lines count from 1. The first 1,000 that contain the text. */
    result: returns<readonly { readonly line: number; readonly text: string }[]>(),
    title: 'Search Execution Log…',
    shortTitle: 'Search…',
    icon: '$(search)',
    menus: [{ menu: 'editor/title', groups: ['log@0'], when: inLog }],
    keys: [{ key: 'ctrl+alt+f', mac: 'cmd+alt+shift+f', when: typingInLog }],
  },
  'execution.nextMatch': {
    /** text: for a user the one that was searched for last. */
    argument: v.object({ ...execution, text: asked(optionalText) }),
    result: returns<{ readonly line: number; readonly text: string }>(),
    title: 'Go to Next Match in Execution Log',
    icon: '$(arrow-down)',
    palette: logInFront,
    keys: [{ key: 'f3', when: typingInSearchedLog }],
  },
  'execution.previousMatch': {
    argument: v.object({ ...execution, text: asked(optionalText) }),
    result: returns<{ readonly line: number; readonly text: string }>(),
    title: 'Go to Previous Match in Execution Log',
    icon: '$(arrow-up)',
    palette: logInFront,
    keys: [{ key: 'shift+f3', when: typingInSearchedLog }],
  },
  'execution.filterLog': {
    argument: v.object({
      ...execution,
      /** This level and more severe ones. */
      level: optional(v.picklist(logLevels)),
      nodeId: optionalText,
      text: optionalText,
    }),
    result: returns<string>(),
    title: 'Filter Execution Log…',
    shortTitle: 'Filter…',
    icon: '$(filter)',
    menus: [{ menu: 'editor/title', groups: ['log@0'], when: inLog }],
  },
  'execution.saveLog': {
    argument: v.object({ ...execution, fileUri: asked(optionalText) }),
    result: returns<{ readonly fileUri: string; readonly lineCount: number }>(),
    title: 'Save Whole Execution Log…',
    shortTitle: 'Save Whole Log…',
    icon: '$(save)',
    menus: [{ menu: 'editor/title', groups: ['log@5'], when: inLog }],
  },
  'execution.openFirstError': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Go to First Error in Execution Log',
    shortTitle: 'First Error',
    icon: '$(error)',
    menus: [{ menu: 'editor/title', groups: ['log@1'], when: inLog }],
    keys: [{ key: 'ctrl+alt+e', mac: 'cmd+alt+e', when: typingInLog }],
  },
  'execution.showEarlierLines': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Show Earlier Lines of Execution Log',
    shortTitle: 'Earlier Lines',
    icon: '$(arrow-up)',
    palette: logInFront,
    menus: [{ menu: 'editor/title', groups: ['log@2'], when: inLog }],
    keys: [{ key: 'ctrl+alt+pageup', mac: 'cmd+alt+pageup', when: typingInLog }],
  },
  'execution.showLaterLines': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Show Later Lines of Execution Log',
    shortTitle: 'Later Lines',
    icon: '$(arrow-down)',
    palette: logInFront,
    menus: [{ menu: 'editor/title', groups: ['log@3'], when: inLog }],
    keys: [{ key: 'ctrl+alt+pagedown', mac: 'cmd+alt+pagedown', when: typingInLog }],
  },
  'execution.showLatestLines': {
    argument: v.object(execution),
    result: returns<string>(),
    title: 'Show Latest Lines of Execution Log',
    shortTitle: 'Latest Lines',
    icon: '$(arrow-circle-down)',
    palette: logInFront,
    menus: [{ menu: 'editor/title', groups: ['log@4'], when: inLog }],
  },
  'execution.showLogs': {
    argument: v.object(execution),
    result: returns<{ readonly executionId: string }>(),
    title: 'Show Execution in Workflow Logs',
    icon: '$(eye)',
    menus: [{ menu: 'view/item/context', groups: ['inline@3', '2_follow@1'], when: onExecution }],
  },
  'execution.stopFollowing': {
    argument: v.object(execution),
    result: returns<{ readonly executionId: string }>(),
    title: 'Stop Following Execution',
    icon: '$(eye-closed)',
    enablement: contextKeys.isFollowing,
    menus: [
      { menu: 'view/item/context', groups: ['2_follow@2'], when: [inExecutionViews, rowIs('followed')] },
    ],
  },
  'execution.cancelFollowed': {
    argument: nothing,
    result: returns<{ readonly executionId: string; readonly status: string }>(),
    title: 'Cancel Followed Execution',
    shortTitle: 'Cancel',
    icon: '$(debug-stop)',
    enablement: contextKeys.isFollowing,
    palette: never,
    menus: [
      {
        menu: 'view/title',
        groups: ['navigation@-1'],
        when: [
          'view == workbench.panel.output',
          'activeOutputChannel =~ /^extension-output-workflow-automation\\.workflow-automation-.*-Workflow Logs$/',
          contextKeys.isFollowing,
          contextKeys['can.cancel'],
        ],
      },
    ],
  },
} satisfies Declarations;
