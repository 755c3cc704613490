// The commands on tests of workflows.
import * as v from 'valibot';
import type { JsonObject } from '../../../base/json.ts';
import { contextKeys, testControllerId } from '../../ids.ts';
import { optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inDocument, never, onExecution, rowIs } from '../when.ts';
import { execution } from './members.ts';

/** A file, one of its tests, and one of its rows; without a file all of the workspace. */
const tests = { uri: optionalText, name: optionalText, row: optionalText };

interface TestOutcome {
  /** Of the file. */
  readonly uri: string;
  /** With that of the row, if there are several: "test / row". */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'errored' | 'skipped';
  readonly message?: string;
  readonly expected?: JsonObject;
  readonly actual?: JsonObject;
}

const inMessage = ['testMessage == workflowTest'];
const onItem = [`controllerId == ${testControllerId}`];

export const testCommands = {
  'test.run': {
    argument: v.object(tests),
    result: returns<readonly TestOutcome[]>(),
    title: 'Run Workflow Tests',
    icon: '$(beaker)',
  },
  'test.debug': {
    argument: v.object(tests),
    /** When the debugger has stopped for the first time. */
    result: returns<readonly TestOutcome[]>(),
    title: 'Debug Workflow Test',
    icon: '$(debug-alt)',
    palette: never,
  },
  'test.updateExpected': {
    /** By default all that have failed. */
    argument: v.object(tests),
    /** How many tests expect something else now. */
    result: returns<{ readonly updated: number }>(),
    title: 'Update Expected',
    icon: '$(check-all)',
    menus: [
      { menu: 'testing/message/context', groups: ['inline@1'], when: inMessage },
      { menu: 'testing/item/context', groups: ['workflow@1'], when: onItem },
    ],
  },
  'test.openFailedNode': {
    argument: v.object(tests),
    result: returns<string>(),
    title: 'Open Failed Node of Test',
    shortTitle: 'Open Failed Node',
    icon: '$(go-to-file)',
    palette: never,
    menus: [
      { menu: 'testing/message/context', groups: ['inline@2'], when: inMessage },
      { menu: 'testing/item/context', groups: ['workflow@2'], when: onItem },
    ],
  },
  'test.debugExecution': {
    argument: v.object(tests),
    title: 'Debug Execution of Test',
    icon: '$(debug-alt)',
    palette: never,
    menus: [
      { menu: 'testing/message/context', groups: ['inline@3'], when: inMessage },
      { menu: 'testing/item/context', groups: ['workflow@3'], when: onItem },
    ],
  },
  'execution.createTest': {
    argument: v.object(execution),
    result: returns<{ readonly uri: string; readonly name: string }>(),
    title: 'Create Test from Execution',
    icon: '$(beaker)',
    palette: [contextKeys.hasConnection],
    menus: [
      {
        menu: 'view/item/context',
        groups: ['5_test@1'],
        when: [...onExecution, rowIs('(completed|failed)')],
      },
      { menu: 'editor/title', groups: ['1_debug@2'], when: [inDocument('execution')] },
    ],
  },
} satisfies Declarations;
