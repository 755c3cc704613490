// The commands on a search of executions: on the one that the view shows, on what it found, and on those that were saved.
import * as v from 'valibot';
import type { FoundPlace } from '../../../domain/search.ts';
import { contextKeys } from '../../ids.ts';
import { asked, noRow, optional, optionalText } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { either, inConnectedView, inView, never, rowIs } from '../when.ts';
import { connectionId, execution, limit, nothing, text } from './members.ts';

const inExecutions = inView('executions');
const isSearching = `${contextKeys.executionSearch} == searching`;
const isPaused = `${contextKeys.executionSearch} =~ /^(paused|failed)$/`;
const isUnderWay = either(isSearching, `${contextKeys.executionSearch} == paused`);
const savedSearch = { query: text, connectionId };

/** An execution that a search found. */
interface FoundExecution {
  readonly id: string;
  readonly workflowId: string | null;
  readonly status: string;
  /** Where the text stands, three places at most. */
  readonly found?: readonly FoundPlace[];
}

export const searchingCommands = {
  'execution.search': {
    argument: v.object({ kind: noRow, query: asked(optionalText), limit }),
    result: returns<readonly FoundExecution[]>(),
    title: 'Search Executions…',
    icon: '$(search)',
    menus: [{ menu: 'view/title', groups: ['navigation@0'], when: inConnectedView('executions') }],
  },
  'executions.pauseSearch': {
    argument: nothing,
    title: 'Pause Search',
    icon: '$(debug-pause)',
    enablement: isSearching,
    menus: [{ menu: 'view/title', groups: ['0_search@1'], when: [inExecutions, isSearching] }],
  },
  'executions.resumeSearch': {
    argument: nothing,
    title: 'Resume Search',
    icon: '$(debug-continue)',
    enablement: isPaused,
    menus: [{ menu: 'view/title', groups: ['0_search@2'], when: [inExecutions, isPaused] }],
  },
  'executions.cancelSearch': {
    argument: nothing,
    title: 'Cancel Search',
    icon: '$(debug-stop)',
    enablement: isUnderWay,
    menus: [{ menu: 'view/title', groups: ['0_search@3'], when: [inExecutions, isUnderWay] }],
  },
  'executions.clearSearch': {
    argument: nothing,
    title: 'Clear Search',
    icon: '$(clear-all)',
    enablement: contextKeys.executionSearch,
    menus: [
      { menu: 'view/title', groups: ['0_search@5'], when: [inExecutions, contextKeys.executionSearch] },
    ],
  },
  'executions.loadMoreFound': {
    argument: nothing,
    title: 'Load More Found Executions',
    palette: never,
  },
  'executions.actOnFound': {
    argument: nothing,
    title: 'Act on All Found Executions…',
    icon: '$(checklist)',
    enablement: contextKeys.executionSearch,
    menus: [
      { menu: 'view/title', groups: ['navigation@1'], when: [inExecutions, contextKeys.executionSearch] },
    ],
  },
  'executions.saveSearch': {
    argument: nothing,
    title: 'Save Search…',
    icon: '$(save)',
    enablement: contextKeys.executionSearch,
    menus: [
      { menu: 'view/title', groups: ['0_search@4'], when: [inExecutions, contextKeys.executionSearch] },
    ],
  },
  'execution.openFound': {
    /** at: the index of the place among those that the search in the view found. */
    argument: v.object({ ...execution, at: optional(v.pipe(v.number(), v.integer(), v.minValue(0))) }),
    /** The document's URI. */
    result: returns<string>(),
    title: 'Open Where It Was Found',
    icon: '$(go-to-file)',
    palette: never,
  },
  'savedSearch.run': {
    argument: v.object(savedSearch),
    title: 'Run Saved Search',
    palette: never,
  },
  'savedSearch.remove': {
    argument: v.object(savedSearch),
    title: 'Remove Saved Search',
    icon: '$(trash)',
    palette: never,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@2', '1_edit@2'],
        when: [inExecutions, rowIs('savedSearch')],
      },
    ],
  },
  'savedSearch.showBadge': {
    argument: v.object(savedSearch),
    title: 'Count in Badge',
    icon: '$(bell)',
    palette: never,
    menus: [
      {
        menu: 'view/item/context',
        groups: ['inline@1', '2_badge'],
        when: [inExecutions, rowIs('uncounted')],
      },
    ],
  },
  'savedSearch.hideBadge': {
    argument: v.object(savedSearch),
    title: "Don't Count in Badge",
    icon: '$(bell-slash)',
    palette: never,
    menus: [
      { menu: 'view/item/context', groups: ['inline@1', '2_badge'], when: [inExecutions, rowIs('counted')] },
    ],
  },
} satisfies Declarations;
