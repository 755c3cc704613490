// Completion in files with tests: the nodes of the workflow, and what its last execution gave.
import { getLocation, type Location } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import { definitionFormats } from '../../domain/definitionFormat.ts';
import { isServiceError } from '../../domain/errors.ts';
import { outputValue } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { plainLine } from '../../base/format.ts';
import { rangeOf } from '../../editor/documents/documents.ts';
import { codeBlock, toMarkdownString } from '../../editor/markdown.ts';
import type { TextPlace } from '../../editor/lazy/lazySurfaces.ts';
import type { App } from '../../ui/app.ts';
import { shortId } from '../../words/names.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';
import { answersOfRuns } from '../../workflowTests/fromExecution.ts';
import { escapeMatchers } from '../../workflowTests/matchers.ts';
import type { TestedDefinitions } from './testedDefinitions.ts';

type TestHelpDeps = Pick<App, 'executions' | 'following' | 'testFiles' | 'testHelp'>;

/** In characters of JSON. */
const maximumValue = 20_000;

export function registerTestHelp(deps: TestHelpDeps, definitions: TestedDefinitions): Disposable {
  const help = new TestHelp(deps, definitions);
  return deps.testHelp.attach({
    complete: (place) => help.complete(place),
    explain: () => Promise.resolve(undefined),
  });
}

class TestHelp {
  readonly #deps: TestHelpDeps;
  readonly #definitions: TestedDefinitions;

  constructor(deps: TestHelpDeps, definitions: TestedDefinitions) {
    this.#deps = deps;
    this.#definitions = definitions;
  }

  async complete(place: TextPlace): Promise<vscode.CompletionItem[]> {
    const { document, text, offset } = place;
    const { workflow } = this.#deps.testFiles.readDocument(document).file;
    if (workflow === undefined) return [];
    const location = getLocation(text, offset);
    const [first, index, ...path] = location.path;
    if (first !== 'tests' || typeof index !== 'number') return [];
    const definition = this.#definitions.find(document.uri, workflow);
    if (location.isAtPropertyKey)
      return definition === undefined ? [] : offerNodes(place, location, path, definition);
    const target = this.#definitions.findTarget(workflow);
    const latest = target && this.#deps.executions.latest(target);
    if (target === undefined || latest === undefined) return [];
    const execution = { connectionId: target.connectionId, executionId: latest.id };
    const value = await this.#read(execution, path, definition);
    return value === undefined ? [] : offerValue(place, location, value, latest.id);
  }

  /** What the last execution has at this place of a test. */
  async #read(
    execution: ExecutionTarget,
    [part, member, nodeId, nodeMember]: readonly (string | number)[],
    definition: DefinitionText | undefined,
  ): Promise<JsonValue | undefined> {
    const { executions, following } = this.#deps;
    try {
      if (part === 'input' && member === undefined) return (await executions.readInput(execution)).input;
      if (part === 'expected' && member === 'output' && nodeId === undefined)
        return escaped(outputValue(await executions.output(execution)));
      const runsOf = async (id: string | number | undefined): Promise<readonly NodeRun[]> =>
        (await following.readLog(execution)).nodeRuns.filter((run) => run.nodeId === id);
      if (part === 'pinned' && nodeId === undefined) return (await runsOf(member)).at(-1)?.output;
      if (part === 'answers' && nodeId === undefined && definition !== undefined)
        return answersOfRuns(await runsOf(member));
      if (part === 'expected' && member === 'nodes' && nodeMember === 'output')
        return escaped((await runsOf(nodeId)).at(-1)?.output);
      return undefined;
    } catch (error) {
      // Completion only helps: what can't be read isn't offered.
      if (isServiceError(error)) return undefined;
      throw error;
    }
  }
}

function escaped(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : escapeMatchers(value);
}

/** The nodes that this place of a test can name. */
function offerNodes(
  place: TextPlace,
  location: Location,
  path: readonly (string | number)[],
  { byId, format }: DefinitionText,
): vscode.CompletionItem[] {
  const above = path.slice(0, -1).join('.');
  if (!['pinned', 'answers', 'expected.nodes'].includes(above)) return [];
  const range = replacedAt(place, location);
  const end = place.document.offsetAt(range.end);
  const hasValue = /^\s*:/.test(place.text.slice(end, end + 50));
  const { requestType } = definitionFormats[format];
  const nodes = [...byId.values()].filter(({ type }) => above !== 'answers' || type === requestType);
  return nodes.map(({ id, name }) => {
    const item = new vscode.CompletionItem(plainLine(id, 80), vscode.CompletionItemKind.Reference);
    item.detail = plainLine(name, 80);
    item.range = range;
    const written = stringifyJson(id);
    item.filterText = written;
    item.insertText = hasValue ? written : `${written}: `;
    return item;
  });
}

function replacedAt({ document, position }: TextPlace, { previousNode }: Location): vscode.Range {
  return previousNode === undefined ? new vscode.Range(position, position) : rangeOf(document, previousNode);
}

export function renderValue(json: string): vscode.MarkdownString {
  return toMarkdownString(codeBlock(json, 'json'));
}

function offerValue(
  place: TextPlace,
  location: Location,
  value: JsonValue,
  executionId: string,
): vscode.CompletionItem[] {
  const json = stringifyJson(value, 2);
  const isWhole = truncatedValue(value) === undefined && !(isJsonObject(value) && '$cut' in value);
  if (!isWhole || json.length > maximumValue) return [];
  const label = vscode.l10n.t('as in {0}', shortId(executionId));
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Value);
  item.detail = vscode.l10n.t('From the last execution');
  item.documentation = renderValue(json);
  item.insertText = json;
  item.range = replacedAt(place, location);
  item.filterText = item.range.isEmpty ? label : place.document.getText(item.range);
  item.sortText = '0';
  return [item];
}
