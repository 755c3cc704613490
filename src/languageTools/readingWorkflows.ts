// Tools that read workflows and check definitions.
import * as v from 'valibot';
import { isAbortError } from '../base/async.ts';
import { type JsonObject, stringifyJson } from '../base/json.ts';
import { messageOf } from '../base/reason.ts';
import type { CheckRules } from '../definition/checkText.ts';
import { type DefinitionFault, isErrorFor, toSentence } from '../definition/definitionFault.ts';
import type { Faults } from '../definition/faultList.ts';
import { formatOf } from '../domain/definitionFormat.ts';
import { foldText } from '../domain/findText.ts';
import type { Workflow } from '../domain/workflow.ts';
import { formatField } from '../base/fieldPath.ts';
import { editVersion } from '../model/workflows/definitionStore.ts';
import { toDefinition } from '../model/workflows/workflowDefinition.ts';
import { defineTool, described, id, limit, members, object, readOnly, text, whole } from './languageTool.ts';
import { ToolRefusal } from './toolErrors.ts';
import type { RunningCall, ToolPorts } from './toolPorts.ts';
import { parseValuePath, type SelectedValue, selectValue } from './valuePath.ts';

const defaultLimit = 50;
/** A service may ignore what is searched for: then its pages are looked through, at most so many. */
const searchedPages = 5;
const longestName = 200;

export const valuePath = described(
  text,
  'One value: output.items[2].id; [10:20] is a part of a list or text',
);

/** What the path leads to; all of it without one. */
export function select(value: JsonObject, path: string | undefined, { hide }: RunningCall): SelectedValue {
  if (path === undefined) return whole(value);
  const parsed = parseValuePath(path);
  if (parsed === undefined)
    throw new ToolRefusal(
      '"path" must look like output.items[2].id, with ["…"] around names with other characters.',
    );
  const selected = selectValue(value, parsed, hide);
  if (selected !== undefined) return selected;
  throw new ToolRefusal('There is no value at this "path". Leave it out to see what there is.');
}

export const listWorkflows = defineTool({
  title: 'List Workflows',
  summary: 'Lists the workflows of the active connection.',
  icon: '$(list-unordered)',
  description: 'Lists workflows: ID, name, and whether each is deployed. "search" is a part of the name.',
  annotations: readOnly,
  input: members({ search: v.optional(text), limit: v.optional(limit(100)) }),
  run: async ({ search = '', limit: wanted = defaultLimit }, { ports, connectionId, signal }) => {
    const found: Workflow[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < searchedPages && found.length < wanted && cursor !== null; page += 1) {
      const query = {
        limit: search === '' ? wanted : 100,
        ...(search !== '' && { search }),
        ...(cursor !== undefined && { cursor }),
      };
      const { items, nextCursor } = await ports.workflows.search(connectionId, query, signal);
      found.push(...items.filter(({ name }) => foldText(name).includes(foldText(search))));
      cursor = nextCursor;
    }
    const shown = found.slice(0, wanted);
    const hasMore = found.length > shown.length || (cursor !== null && cursor !== undefined);
    return {
      selected: whole(
        shown.map(({ id: workflowId, name, isDeployed }) => ({
          id: workflowId,
          name: name.slice(0, longestName),
          isDeployed,
        })),
      ),
      howToRead: 'Call listWorkflows with "search".',
      notes: hasMore
        ? ['There are more workflows. Call listWorkflows with "search" or a higher "limit".']
        : [],
    };
  },
});

export const getDefinition = defineTool({
  title: 'Get Definition',
  summary: 'Reads the definition of a workflow.',
  icon: '$(json)',
  description:
    'Gets the definition of a workflow (nodes, edges, settings), with the version for saveDefinition.',
  annotations: readOnly,
  input: members({ workflowId: id, path: v.optional(valuePath) }),
  run: async ({ workflowId, path }, call) => {
    const { ports, connectionId, signal } = call;
    const workflow = await ports.workflows.read({ connectionId, workflowId }, signal);
    const { id: ownId, name, isDeployed, hasUndeployedChanges } = workflow;
    return {
      selected: select(
        {
          workflowId: ownId,
          name,
          isDeployed,
          hasUndeployedChanges,
          version: editVersion(workflow),
          definition: toDefinition(workflow),
        },
        path,
        call,
      ),
      howToRead: 'Call getDefinition with the "path" that stands there.',
    };
  },
});

interface ShownFault extends JsonObject {
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly message: string;
}

const shownFault = (fault: DefinitionFault, isLocal: boolean): ShownFault => ({
  severity: isErrorFor(fault, isLocal) ? 'error' : 'warning',
  path: formatField(fault.path.map((step) => (/^\d+$/.test(step) ? Number(step) : step))),
  message: toSentence(fault.message),
});

/** Rejects with a ToolRefusal where the check fails or takes too long. */
async function check(
  { checker }: ToolPorts,
  definition: JsonObject,
  rules: CheckRules,
  signal: AbortSignal,
): Promise<Partial<Faults<DefinitionFault>>> {
  try {
    return (await checker.checkText(stringifyJson(definition), rules, signal)) ?? {};
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    throw new ToolRefusal(`The definition could not be checked: ${messageOf(error)} Check a simpler one.`);
  }
}

export const checkDefinition = defineTool({
  title: 'Check Definition',
  summary: 'Finds what is wrong with a definition.',
  icon: '$(checklist)',
  description: 'Lists what is wrong with a definition, given or saved. Changes nothing.',
  annotations: readOnly,
  input: members({ definition: v.optional(object), workflowId: v.optional(id) }),
  run: async ({ definition: given, workflowId }, { ports, connectionId, signal }) => {
    if ((given === undefined) === (workflowId === undefined))
      throw new ToolRefusal('Give either "definition" or "workflowId".');
    const definition =
      given ??
      toDefinition(await ports.workflows.read({ connectionId, workflowId: workflowId ?? '' }, signal));
    const format = formatOf(definition);
    const isLocal = ports.connections.get(connectionId).kind === 'local' && format === 'service';
    const { faults = [], more = 0 } = await check(ports, definition, isLocal ? 'local' : format, signal);
    return {
      selected: whole(faults.map((fault) => shownFault(fault, isLocal))),
      howToRead: 'Correct these first, then call checkDefinition again.',
      notes:
        faults.length === 0
          ? ['Nothing is wrong.']
          : more === 0
            ? []
            : ['There are more. Correct these first, then call checkDefinition again.'],
    };
  },
});
