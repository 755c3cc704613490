// The commands that compare executions.
import * as v from 'valibot';
import { asked, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inDocument, inLanguage, onExecution, rowIs, type When } from '../when.ts';
import { execution, text } from './members.ts';

const inComparison: When = [inDocument('execution'), inLanguage('workflow-comparison')];

export const comparisonCommands = {
  'execution.compare': {
    argument: v.object({ ...execution, otherExecutionId: asked(optionalText) }),
    /** The URIs of both sides. */
    result: returns<readonly string[]>(),
    title: 'Compare Executions…',
    icon: '$(diff)',
    menus: [{ menu: 'view/item/context', groups: ['1_read@6'], when: onExecution }],
  },
  'execution.compareWithLastSuccess': {
    argument: v.object(execution),
    result: returns<readonly string[]>(),
    title: 'Compare with Last Success',
    icon: '$(diff)',
    menus: [{ menu: 'view/item/context', groups: ['1_read@7'], when: [...onExecution, rowIs('failed')] }],
  },
  'comparison.openDiff': {
    argument: v.object({ comparisonUri: text }),
    result: returns<readonly string[]>(),
    title: 'Open Comparison as Diff',
    shortTitle: 'Diff',
    icon: '$(diff)',
    palette: inComparison,
    menus: [{ menu: 'editor/title', groups: ['navigation@0'], when: inComparison }],
  },
  'comparison.ignoreField': {
    argument: v.object({ field: text }),
    /** The whole list. */
    result: returns<{ readonly ignoredFields: readonly string[] }>(),
    title: 'Ignore This Field in Comparisons',
    palette: inComparison,
    menus: [{ menu: 'editor/context', groups: ['navigation@2'], when: inComparison }],
  },
} satisfies Declarations;
