// The commands on the focused row, whatever it is, and on the extension itself.
import * as v from 'valibot';
import { hidden } from '../argument.ts';
import type { Declarations } from '../declaration.ts';
import { always, inView, never, onFocusedRow } from '../when.ts';
import { nothing, text } from './members.ts';

/** A row of any view, with all its members. Documents have no key. */
const anyRow = v.looseObject({
  kind: text,
  key: text,
  opens: hidden(v.optional(v.literal('execution.openFound'))),
});

export const generalCommands = {
  'row.open': {
    argument: anyRow,
    title: 'Open Focused Item',
    palette: never,
    keys: [
      { key: 'enter', ...onFocusedRow('workflows') },
      { key: 'enter', ...onFocusedRow('executions') },
    ],
  },
  'row.execute': {
    argument: anyRow,
    title: 'Execute Focused Item',
    palette: never,
    keys: [{ key: 'ctrl+enter', mac: 'cmd+enter', ...onFocusedRow('workflows') }],
  },
  'row.rename': {
    argument: anyRow,
    title: 'Rename Focused Item…',
    palette: never,
    keys: [
      { key: 'f2', ...onFocusedRow('workflows') },
      { key: 'f2', ...onFocusedRow('connections') },
    ],
  },
  'row.delete': {
    argument: anyRow,
    title: 'Delete Focused Item…',
    palette: never,
    keys: [
      { key: 'delete', mac: 'cmd+backspace', ...onFocusedRow('workflows') },
      { key: 'delete', mac: 'cmd+backspace', ...onFocusedRow('executions') },
      { key: 'delete', mac: 'cmd+backspace', ...onFocusedRow('connections') },
    ],
  },
  'nodeTypes.open': {
    argument: nothing,
    title: 'Open Node Types',
    icon: '$(book)',
    palette: always,
  },
  showLog: {
    argument: nothing,
    title: 'Show Extension Log',
    icon: '$(output)',
    palette: always,
    menus: [{ menu: 'view/title', groups: ['3_log'], when: [inView('workflows')] }],
  },
} satisfies Declarations;
