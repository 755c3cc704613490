// The commands on workflows as files, and on the environments that they go to.
import * as v from 'valibot';
import { contextKeys, sourceControlId } from '../../ids.ts';
import { asked, hidden, optional, optionalText, row } from '../argument.ts';
import { type Declarations, returns } from '../declaration.ts';
import { inConnectedView, inLinkedFile, never, not } from '../when.ts';
import { connectionId, text } from './members.ts';

/** The URI of a folder with a workflows.json; by default the only one. */
const folder = optionalText;
/** Paths from the folder on; by default all. */
const files = optional(v.array(text));
/** By default the one that its workflows.json says. */
const environment = optionalText;
const yes = optional(v.boolean());

/** The URI of a file that stands, or will stand, in such a folder. */
const linkedFile = v.object({ linkedFile: text });

/** preserveFocus: the row that was clicked keeps it. */
const seenFile = v.object({ linkedFile: text, preserveFocus: hidden(yes) });

/** A file's part of a plan, with what became of it. */
interface PlannedFile {
  readonly file: string;
  readonly workflowId: string | null;
  readonly action: string;
  /** Missing in a dry run. */
  readonly done?: boolean;
  /** Why it wasn't done. */
  readonly message?: string;
}

const inProvider = [`scmProvider == ${sourceControlId}`];
const stateIs = (...states: readonly string[]) => [
  ...inProvider,
  `scmResourceState =~ /^(${states.join('|')})$/`,
];
const hasLinkedFolder = contextKeys.hasLinkedFolder;

export const filesCommands = {
  'files.linkFolder': {
    argument: v.object({
      kind: row('resource'),
      folder: asked(optionalText),
      connectionId,
      /** By default all. */
      workflowIds: optional(v.array(text)),
      /** The name of the new environment; by default that of the connection. */
      environment,
    }),
    result: returns<{ readonly folder: string; readonly files: readonly string[] }>(),
    title: 'Link a Folder…',
    icon: '$(repo-clone)',
    menus: [
      {
        menu: 'explorer/context',
        groups: ['2_workspace'],
        when: ['explorerResourceIsFolder', contextKeys.hasConnection],
      },
      {
        menu: 'view/title',
        groups: ['1_workflows@5'],
        when: inConnectedView('workflows'),
      },
    ],
  },
  'files.status': {
    argument: v.object({ folder, environment, files }),
    result:
      returns<
        readonly { readonly file: string; readonly workflowId: string | null; readonly state: string }[]
      >(),
    title: 'Show Workflow Files',
    icon: '$(source-control)',
    palette: [hasLinkedFolder],
  },
  'files.refresh': {
    argument: v.object({ folder }),
    title: 'Refresh Workflow Files',
    shortTitle: 'Refresh',
    icon: '$(refresh)',
    palette: [hasLinkedFolder],
    menus: [{ menu: 'scm/title', groups: ['navigation@3'], when: inProvider }],
  },
  'files.pull': {
    argument: v.object({ folder, environment, files, theirs: yes, dryRun: yes }),
    result: returns<readonly PlannedFile[]>(),
    title: 'Pull Workflow Files',
    shortTitle: 'Pull',
    icon: '$(cloud-download)',
    palette: [hasLinkedFolder],
    menus: [{ menu: 'scm/title', groups: ['navigation@1'], when: inProvider }],
  },
  'files.push': {
    argument: v.object({ folder, environment, files, deploy: yes, mine: yes, dryRun: yes }),
    result: returns<readonly PlannedFile[]>(),
    title: 'Push Workflow Files…',
    shortTitle: 'Push…',
    icon: '$(cloud-upload)',
    palette: [hasLinkedFolder],
    menus: [{ menu: 'scm/title', groups: ['navigation@2'], when: inProvider }],
  },
  'files.promote': {
    argument: v.object({
      folder,
      from: asked(optionalText),
      to: asked(optionalText),
      files,
      deploy: yes,
      dryRun: yes,
      /** The name of a guarded environment. */
      confirm: optionalText,
    }),
    result: returns<readonly PlannedFile[]>(),
    title: 'Promote Workflow Files…',
    shortTitle: 'Promote…',
    icon: '$(rocket)',
    palette: [hasLinkedFolder],
    menus: [{ menu: 'scm/title', groups: ['1_files@1'], when: inProvider }],
  },
  'files.pushFile': {
    argument: linkedFile,
    result: returns<readonly PlannedFile[]>(),
    title: 'Push Workflow File',
    shortTitle: 'Push',
    icon: '$(cloud-upload)',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [
      { menu: 'editor/title', groups: ['navigation@5'], when: [inLinkedFile] },
      {
        menu: 'scm/resourceState/context',
        groups: ['inline@2', '1_files@1'],
        when: stateIs('changedHere', 'onlyHere'),
      },
    ],
  },
  'files.pushAndDeployFile': {
    argument: linkedFile,
    result: returns<readonly PlannedFile[]>(),
    title: 'Push and Deploy Workflow File',
    shortTitle: 'Push and Deploy',
    icon: '$(rocket)',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [
      { menu: 'editor/title', groups: ['2_definition@1'], when: [inLinkedFile] },
      {
        menu: 'scm/resourceState/context',
        groups: ['1_files@2'],
        when: stateIs('changedHere', 'onlyHere'),
      },
    ],
  },
  'files.pullFile': {
    argument: linkedFile,
    result: returns<readonly PlannedFile[]>(),
    title: 'Pull Workflow File',
    shortTitle: 'Pull',
    icon: '$(cloud-download)',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [
      { menu: 'editor/title', groups: ['2_definition@2'], when: [inLinkedFile] },
      {
        menu: 'scm/resourceState/context',
        groups: ['inline@2', '1_files@3'],
        when: stateIs('changedThere', 'onlyThere'),
      },
    ],
  },
  'files.resolve': {
    /** How a file is resolved that both sides changed, or whose workflow was deleted. A merge keeps mine where both changed the same place. */
    argument: v.object({
      linkedFile: text,
      how: hidden(asked(optional(v.picklist(['merge', 'mine', 'theirs'])))),
    }),
    result: returns<readonly PlannedFile[]>(),
    title: 'Resolve Workflow File…',
    shortTitle: 'Resolve…',
    icon: '$(git-merge)',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [
      {
        menu: 'scm/resourceState/context',
        groups: ['inline@2', '1_files@4'],
        when: stateIs('bothChanged', 'deletedThere'),
      },
    ],
  },
  'files.compare': {
    argument: seenFile,
    /** The URIs of both sides. */
    result: returns<readonly string[]>(),
    title: 'Compare with Service',
    icon: '$(diff)',
    palette: [contextKeys.isLinkedFileInFront],
    menus: [
      { menu: 'editor/title', groups: ['2_definition@3'], when: [inLinkedFile] },
      {
        menu: 'scm/resourceState/context',
        groups: ['inline@1', '2_files@1'],
        when: [...inProvider, not('scmResourceState == onlyHere'), not('scmResourceState == deletedThere')],
      },
    ],
  },
  'files.openFile': {
    argument: seenFile,
    title: 'Open Workflow File',
    shortTitle: 'Open File',
    icon: '$(go-to-file)',
    palette: never,
    menus: [
      {
        menu: 'scm/resourceState/context',
        groups: ['2_files@2'],
        when: [...inProvider, not('scmResourceState == onlyThere')],
      },
    ],
  },
} satisfies Declarations;
