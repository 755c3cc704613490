// The expressions of an open definition beside the execution that it shows.
import type * as vscode from 'vscode';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { definitionTarget } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import type { LastRuns } from '../lastRun/lastRuns.ts';
import { findNodeExpressions, type NodeExpressions } from './expressionPlaces.ts';
import { findRanNodes } from './ranNodes.ts';
import { readRecordedData, type RecordedData } from './recordedData.ts';
import { RecordedRuns } from './recordedRuns.ts';

interface Found {
  readonly version: number;
  readonly nodes: readonly NodeExpressions[];
}

export class DefinitionExpressions {
  readonly #lastRuns: LastRuns;
  readonly #workflows: App['workflows'];
  readonly #found = new WeakMap<vscode.TextDocument, Found>();
  readonly #runs = new WeakMap<readonly NodeRun[], RecordedRuns>();

  constructor(lastRuns: LastRuns, workflows: App['workflows']) {
    this.#lastRuns = lastRuns;
    this.#workflows = workflows;
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
    const shown = this.#lastRuns.shownOn(document);
    const target = definitionTarget(document.uri);
    if (shown?.kind !== 'execution' || target === undefined) return undefined;
    const { execution, nodeRuns } = shown;
    const ran = findRanNodes(this.#workflows.find(target), execution);
    return readRecordedData(execution, this.#arrange(nodeRuns), this.nodesIn(document), ran);
  }

  /** Arranged once, while no row changes them. */
  #arrange(nodeRuns: readonly NodeRun[]): RecordedRuns {
    const known = this.#runs.get(nodeRuns);
    if (known !== undefined) return known;
    const runs = new RecordedRuns(nodeRuns);
    this.#runs.set(nodeRuns, runs);
    return runs;
  }
}
