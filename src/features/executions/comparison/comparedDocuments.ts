// The documents that say what differs between two executions.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { settings } from '../../../editor/settings.ts';
import {
  type ComparedFacts,
  compareExecutions,
  type Comparison,
} from '../../../model/executions/comparison.ts';
import { parseFieldPatterns } from '../../../model/executions/fieldPatterns.ts';
import { type ExecutionAddress, executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { readCompared } from '../documents/compared.ts';
import { type RenderedComparison, renderComparison } from './renderComparison.ts';

/** The executions that are compared. */
export interface ComparedTargets {
  readonly left: ExecutionTarget;
  readonly right: ExecutionTarget;
}

/** The executions of a comparison's document; undefined for any other one. */
export function comparedTargets({ target, otherExecutionId }: ExecutionAddress): ComparedTargets | undefined {
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

/** What is read for a document, until one of its executions changes. */
interface Reading {
  pair?: ComparedPair;
}

export class ComparedDocuments implements Disposable {
  readonly #deps: Pick<App, 'executions' | 'following' | 'workflows'>;
  readonly #owned = new DisposableStore();
  readonly #shown = new Map<string, ShownDocument>();
  readonly #readings = new Map<string, Reading>();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<vscode.Uri>());
  /** Fires when a document shows something else. */
  readonly onDidShow = this.#changes.event;

  constructor(deps: Pick<App, 'executions' | 'following' | 'workflows'>) {
    this.#deps = deps;
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
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
      this.#forget(uri);
      throw error;
    }
  }

  /** Returns the document's text. Reads again only what has changed. Rejects with a ServiceError. */
  async read(uri: vscode.Uri, targets: ComparedTargets, signal: AbortSignal): Promise<string> {
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
      this.#changes.fire(uri);
    }
    return rendered.text;
  }

  /** Call when an execution has changed: its documents are read anew. */
  touch(isConcerned: (uri: vscode.Uri) => boolean): void {
    for (const key of [...this.#readings.keys()]) {
      if (isConcerned(vscode.Uri.parse(key, true))) this.#readings.delete(key);
    }
  }

  find(uri: vscode.Uri): ShownDocument | undefined {
    return this.#shown.get(uri.toString());
  }

  /** Returns the node run that the line belongs to, of the right execution if it ran there, with its execution. */
  findRun(
    uri: vscode.Uri,
    line: number,
  ): { readonly target: ExecutionTarget; readonly run: NodeRun } | undefined {
    const shown = this.find(uri);
    const section = shown?.rendered.sections
      .flatMap(({ runs }) => runs)
      .find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
    if (shown === undefined || section === undefined) return undefined;
    const { left, right } = section.runs;
    if (right !== undefined) return { target: shown.right, run: right };
    return left && { target: shown.left, run: left };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#shown.clear();
    this.#readings.clear();
  }

  #forget(uri: vscode.Uri): void {
    this.#shown.delete(uri.toString());
    this.#readings.delete(uri.toString());
  }
}

/** The comparison that a document shows, if it's one. */
export function targetsOf(uri: vscode.Uri): ComparedTargets | undefined {
  const address = executionAddress(uri);
  return address && comparedTargets(address);
}
