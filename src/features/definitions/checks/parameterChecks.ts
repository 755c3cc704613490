// Has the service check the parameters of nodes while they are written, seldom and only those that are new.
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { hashText } from '../../../base/hashText.ts';
import { stringifyJson } from '../../../base/json.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { toSentence } from '../../../definition/definitionFault.ts';
import { isServiceError } from '../../../domain/errors.ts';
import type { CheckedNode, ParameterFault } from '../../../domain/nodeParameters.ts';
import type { App } from '../../../ui/app.ts';
import type { DefinitionProblems } from './definitionProblems.ts';
import { definitionFormats } from '../../../domain/definitionFormat.ts';

type ParameterChecksDeps = Pick<
  App,
  'clock' | 'definitionTargets' | 'definitionTexts' | 'logger' | 'services'
>;

/** Milliseconds between two checks at least: the service allows a hundred calls in five minutes. */
const pauseMs = 5_000;
/** How many checked nodes are remembered. */
const maximumKnown = 5_000;
/** Longer nodes aren't checked while they're written, in UTF-16 units. */
const maximumLength = 64 * 1024;
/** It connects the tools of an agent. */
const toolBranch = 'ai_tool';

export class ParameterChecks implements Disposable {
  readonly #deps: ParameterChecksDeps;
  readonly #problems: DefinitionProblems;
  readonly #owned = new DisposableStore();
  readonly #over = new AbortController();
  /** By connection and node. */
  readonly #known = new BoundedMap<string, readonly ParameterFault[]>(maximumKnown);
  readonly #waiting = new Set<vscode.TextDocument>();
  #timer: Disposable | undefined;
  #lastAt = -Infinity;

  constructor(deps: ParameterChecksDeps, problems: DefinitionProblems) {
    this.#deps = deps;
    this.#problems = problems;
    this.#owned.add(
      deps.definitionTexts.onDidRest((document) => {
        const { format } = deps.definitionTexts.of(document);
        if (!definitionFormats[format].hasParameters) return;
        this.#waiting.add(document);
        this.#checkSoon();
      }),
    );
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => void this.#waiting.delete(document)),
    );
  }

  dispose(): void {
    this.#over.abort();
    this.#timer?.dispose();
    this.#owned.dispose();
  }

  #checkSoon(): void {
    const { clock } = this.#deps;
    if (this.#waiting.size === 0 || this.#over.signal.aborted) return;
    this.#timer ??= clock.schedule(
      () => void this.#checkNext(),
      Math.max(0, this.#lastAt + pauseMs - clock.now()),
    );
  }

  async #checkNext(): Promise<void> {
    const [document] = this.#waiting;
    try {
      if (document === undefined) return;
      this.#waiting.delete(document);
      await this.#check(document);
    } catch (error) {
      // Nothing is lost without the check: the service refuses what it can't deploy.
      if (!isServiceError(error) && !isAbortError(error))
        this.#deps.logger.error('Parameters could not be checked.', error);
    } finally {
      this.#timer = undefined;
      this.#checkSoon();
    }
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { clock, definitionTargets, services } = this.#deps;
    const { connectionId = '' } = definitionTargets.of(document.uri) ?? {};
    const types = services.nodeTypes(connectionId);
    if (types === undefined) return;
    const unknown = this.#show(document, connectionId);
    if (unknown.size === 0) return;
    this.#lastAt = clock.now();
    const results = await types.check([...unknown.values()], { signal: this.#over.signal });
    [...unknown.keys()].forEach((key, index) => {
      const faults = results?.[index];
      if (faults !== undefined) this.#known.set(key, faults);
    });
    this.#show(document, connectionId);
  }

  /** Shows what is known, and returns the nodes of which nothing is, by what they're known by. */
  #show(document: vscode.TextDocument, connectionId: string): ReadonlyMap<string, CheckedNode> {
    const text = this.#deps.definitionTexts.of(document);
    const { product = '' } = definitionFormats[text.format];
    const unknown = new Map<string, CheckedNode>();
    const found = text.nodes.flatMap((node) => {
      const checked = toChecked(text, node);
      if (checked === undefined) return [];
      const key = keyOf(connectionId, checked);
      const faults = this.#known.get(key);
      if (faults === undefined) unknown.set(key, checked);
      return (faults ?? []).map(({ path, message }) => ({
        ...node.locateParameter(path),
        message: `${product}: ${toSentence(message)}`,
        isError: false,
      }));
    });
    this.#problems.showAdvised(document, found);
    return unknown;
  }
}

function keyOf(connectionId: string, node: CheckedNode): string {
  const text = stringifyJson({ ...node });
  return `${connectionId} ${text.length} ${hashText(text)}`;
}

function toChecked(text: DefinitionText, node: DefinitionNode): CheckedNode | undefined {
  const { id, type, typeVersion: version, parameters } = node;
  if (type === '' || parameters === undefined || node.length > maximumLength) return undefined;
  const isTool = text.outgoing(id).some(({ branch }) => branch === toolBranch);
  return { type, version, parameters, isTool };
}
