// The documents that say what differs between two executions, in sections for their outline and folding.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { schemes } from '../../../editor/ids.ts';
import { onDidChange, settings } from '../../../editor/settings.ts';
import {
  type ComparedFacts,
  compareExecutions,
  type Comparison,
} from '../../../model/comparison/compareExecutions.ts';
import { type ExecutionChange, isAbout } from '../../../model/executions/connectionExecutions.ts';
import { parseFieldPatterns } from '../../../model/comparison/fieldPatterns.ts';
import { readCompared } from '../../../model/comparison/readCompared.ts';
import { type ExecutionAddress, executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../words/names.ts';
import type { DocumentSource, ExecutionDocument, NodeRunTarget } from '../documents/documentSource.ts';
import type { Section } from '../documents/sections.ts';
import { type RenderedComparison, renderComparison } from './renderComparison.ts';

export const comparisonSelector = { scheme: schemes.execution, language: 'workflow-comparison' } as const;

/** The executions that are compared. */
export interface ComparedTargets {
  readonly left: ExecutionTarget;
  readonly right: ExecutionTarget;
}

/** The executions of a comparison's document; undefined for any other one. */
function comparedTargets({ target, otherExecutionId }: ExecutionAddress): ComparedTargets | undefined {
  if (otherExecutionId === undefined) return undefined;
  return { left: { connectionId: target.connectionId, executionId: otherExecutionId }, right: target };
}

/** What an open document shows. */
export interface ShownDocument extends ComparedTargets {
  readonly comparison: Comparison;
  readonly rendered: RenderedComparison;
}

/** Both executions of a comparison, as they were read. */
export interface ComparedPair {
  readonly left: ComparedFacts;
  readonly right: ComparedFacts;
}

interface Titled {
  readonly title: string;
  readonly detail?: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** What is read for a document, until one of its executions changes. */
interface Reading {
  pair?: ComparedPair;
}

export class ComparedDocuments implements DocumentSource, Disposable {
  readonly #deps: Pick<App, 'executions' | 'following' | 'workflows'>;
  readonly #owned = new DisposableStore();
  readonly #shown = new Map<string, ShownDocument>();
  readonly #readings = new Map<string, Reading>();
  readonly #shows = this.#owned.add(new Emitter<vscode.Uri>());
  /** Fires when a document shows something else. */
  readonly onDidShow = this.#shows.event;
  readonly #changes = this.#owned.add(new Emitter<null>());
  readonly onDidChange = this.#changes.event;

  constructor(deps: Pick<App, 'executions' | 'following' | 'workflows'>) {
    this.#deps = deps;
    this.#owned.add(onDidChange(settings.ignoredFields, () => this.#changes.fire(null)));
    this.#owned.add(deps.executions.onDidChange((change) => this.#dropReadings(change)));
  }

  /** Reads both executions. Rejects with a ServiceError. */
  async readPair({ left, right }: ComparedTargets, signal: AbortSignal): Promise<ComparedPair> {
    const read = (target: ExecutionTarget) => readCompared(this.#deps, target, undefined, signal);
    const [leftFacts, rightFacts] = await Promise.all([read(left), read(right)]);
    return { left: leftFacts, right: rightFacts };
  }

  /** Opens a document of what was read, which doesn't read it again. */
  async lend(uri: vscode.Uri, pair: ComparedPair, open: () => Promise<void>): Promise<void> {
    this.#readings.set(uri.toString(), { pair });
    try {
      await open();
    } catch (error) {
      this.forget({ uri });
      throw error;
    }
  }

  /** Returns the document's text. Reads again only what has changed. Rejects with a ServiceError. */
  async read({ uri, address }: ExecutionDocument, signal: AbortSignal): Promise<string> {
    const targets = comparedTargets(address);
    if (targets === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const reading: Reading = this.#readings.get(key) ?? {};
    this.#readings.set(key, reading);
    const pair = (reading.pair ??= await this.readPair(targets, signal));
    const { patterns, mistakes } = parseFieldPatterns(settings.ignoredFields());
    const comparison = await compareExecutions(pair.left, pair.right, patterns, signal);
    const nameOf = ({ execution }: ComparedFacts) =>
      workflowName(this.#deps.workflows, targets.right.connectionId, execution.workflowId);
    const rendered = renderComparison([nameOf(pair.left), nameOf(pair.right)], comparison, mistakes);
    // An execution that has changed meanwhile is read again.
    if (this.#readings.get(key) === reading) {
      this.#shown.set(key, { ...targets, comparison, rendered });
      this.#shows.fire(uri);
    }
    return rendered.text;
  }

  isTouched(address: ExecutionAddress, change: ExecutionChange): boolean {
    const { left, right } = comparedTargets(address) ?? {};
    return change.kind === 'rows' && [left, right].some((target) => target && isAbout(change, target));
  }

  find(uri: vscode.Uri): ShownDocument | undefined {
    return this.#shown.get(uri.toString());
  }

  sectionsOf(document: vscode.TextDocument): readonly Section[] {
    const { sections = [] } = renderedOf(this, document) ?? {};
    return sections.map((section) => ({
      ...toSection(section, vscode.SymbolKind.Namespace),
      inner: section.runs.map((run) => toSection(run, vscode.SymbolKind.Event)),
    }));
  }

  /** Returns the node run that the line belongs to, of the right execution if it ran there. */
  findRun({ uri }: Pick<ExecutionDocument, 'uri'>, line: number): NodeRunTarget | undefined {
    const shown = this.find(uri);
    const section = shown?.rendered.sections
      .flatMap(({ runs }) => runs)
      .find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    if (shown === undefined || section === undefined) return undefined;
    const { left, right } = section.runs;
    if (right !== undefined) return { ...shown.right, nodeRunKey: right.key };
    return left && { ...shown.left, nodeRunKey: left.key };
  }

  forget({ uri }: Pick<ExecutionDocument, 'uri'>): void {
    this.#shown.delete(uri.toString());
    this.#readings.delete(uri.toString());
  }

  dispose(): void {
    this.#owned.dispose();
    this.#shown.clear();
    this.#readings.clear();
  }

  /** What changed is read anew. */
  #dropReadings(change: ExecutionChange): void {
    for (const key of [...this.#readings.keys()]) {
      const address = executionAddress(vscode.Uri.parse(key, true));
      if (address !== undefined && this.isTouched(address, change)) this.#readings.delete(key);
    }
  }
}

function toSection({ title, detail = '', firstLine, lastLine }: Titled, kind: vscode.SymbolKind): Section {
  return { firstLine, lastLine, entry: () => ({ title, detail, kind }) };
}

/** What's shown of the document, unless its text is older. */
export function renderedOf(
  compared: Pick<ComparedDocuments, 'find'>,
  document: vscode.TextDocument,
): RenderedComparison | undefined {
  const rendered = compared.find(document.uri)?.rendered;
  return rendered?.text === document.getText() ? rendered : undefined;
}

/** The comparison that a document shows, if it's one. */
export function targetsOf(uri: vscode.Uri): ComparedTargets | undefined {
  const address = executionAddress(uri);
  return address && comparedTargets(address);
}
