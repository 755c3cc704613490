// Conditions under which commands are offered, in the words of the editor. A command asks for several of them at once.
import { contextKeys, schemes, viewIds } from '../ids.ts';

/** All of them must hold. */
export type When = readonly string[];

export const always: When = [];
export const never: When = ['false'];

export const not = (condition: string): string =>
  condition.includes(' ') ? `!(${condition})` : `!${condition}`;
export const either = (...conditions: readonly string[]): string => conditions.join(' || ');

export const inView = (view: keyof typeof viewIds): string => `view == ${viewIds[view]}`;

const states = {
  workflows: contextKeys.state,
  executions: contextKeys.executionsState,
  portalEvents: contextKeys.portalEventsState,
} as const;

/** In a view that knows of a connection. */
export const inConnectedView = (view: keyof typeof states): When => [
  inView(view),
  states[view],
  `${states[view]} != none`,
];

/** Executions and their node runs stand in two views. */
export const inExecutionViews = 'view =~ /^workflowAutomation\\.(workflows|executions)$/';

/** Every expression is anchored, since a name may contain another one. */
const contains = (trait: string): string => `/(^|,)${trait}(,|$)/`;

/** What a row says of itself, between commas; a regular expression. */
export const rowIs = (trait: string): string => `viewItem =~ ${contains(trait)}`;
export const onWorkflow: When = [inView('workflows'), rowIs('workflow')];
export const onExecution: When = [inExecutionViews, rowIs('execution')];
export const onNodeRun: When = [inExecutionViews, rowIs('nodeRun')];

/** What can be done with the execution of the document in front. */
export const executionInFrontIs = (trait: string): string =>
  `${contextKeys.executionInFront} =~ ${contains(trait)}`;

export const inDocument = (scheme: keyof typeof schemes): string => `resourceScheme == ${schemes[scheme]}`;
/** In a file that is linked to a workflow, but not what version control shows of it. Paths, since a remote window's files have another scheme there. */
export const inLinkedFile = `resourcePath in ${contextKeys.linkedFiles} && resourceScheme != git`;
/** In the definition of a workflow, the service's or a file. */
export const inDefinition = `(${either(inDocument('definition'), inLinkedFile)})`;
export const inDefinitionOrInput = `(${either('resourceScheme =~ /^workflow-(definition|input)$/', inLinkedFile)})`;
/** In the document of one part of an execution; the editor may have encoded its query. */
export const inPart = (part: string): string => `resource =~ /^.*part(=|%3D)${part}((&|%26).*)?$/`;
export const inLanguage = (language: string): string => `resourceLangId == ${language}`;
/** While somebody types in a document. */
export const typing = 'editorTextFocus';

/** A key for the focused row of a view, which the editor hands over. */
export const onFocusedRow = (view: keyof typeof viewIds) => ({
  when: [`focusedView == ${viewIds[view]}`, 'listFocus', '!inputFocus'],
  args: { $treeViewId: viewIds[view], $focusedTreeItem: true },
});
