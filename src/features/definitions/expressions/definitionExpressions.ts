// The expressions of an open definition beside the execution that it shows.
import type * as vscode from 'vscode';
import type { LastRuns } from '../lastRun/lastRuns.ts';
import { findNodeExpressions, type NodeExpressions } from './expressionPlaces.ts';
import { readRecordedData, type RecordedData } from './recordedData.ts';

interface Found {
  readonly version: number;
  readonly nodes: readonly NodeExpressions[];
}

export class DefinitionExpressions {
  readonly #lastRuns: LastRuns;
  readonly #found = new WeakMap<vscode.TextDocument, Found>();

  constructor(lastRuns: LastRuns) {
    this.#lastRuns = lastRuns;
  }

  /** In text order. The text is searched once per version. */
  nodesIn(document: vscode.TextDocument): readonly NodeExpressions[] {
    const known = this.#found.get(document);
    if (known?.version === document.version) return known.nodes;
    const nodes = findNodeExpressions(document.getText());
    this.#found.set(document, { version: document.version, nodes });
    return nodes;
  }

  /** undefined while the document shows no execution. */
  shownOn(document: vscode.TextDocument): RecordedData | undefined {
    const lastRun = this.#lastRuns.find(document);
    if (lastRun?.shown.kind !== 'execution') return undefined;
    const { execution, runTree, iterations } = lastRun.shown;
    return readRecordedData(execution, runTree, iterations, this.nodesIn(document), lastRun.ran);
  }
}
