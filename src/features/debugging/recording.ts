import type { Event } from '../../base/event.ts';
import type { JsonValue } from '../../base/json.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ValueName } from '../../domain/nodeLog.ts';
import type { IterationItem, RunItem } from '../../model/runs/runItems.ts';
import type { Offer } from '../../ui/expressions/offer.ts';
import type { RunTree } from '../../model/runs/runTree.ts';

/** A value, or why there is none, in words. */
export type RecordedEvaluation =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly message: string };

/** A value that an expression can name. */
interface NamedValue {
  readonly name: string;
  /** undefined: the service doesn't report it. */
  readonly value: JsonValue | undefined;
}

/** What the expressions of a run could name. */
export interface RecordedScope {
  readonly input: JsonValue | undefined;
  /** The outputs of other nodes, by their ids. */
  readonly nodes: readonly NamedValue[];
  /** null outside of loops. */
  readonly loop: { readonly item: JsonValue | undefined; readonly index: number } | null;
}

/** The definition that ran, or the one there is now. */
export interface RecordedSource {
  /** As the editor names it to debuggers: the path of a file, else the URI. */
  readonly uri: string;
  readonly name: string;
  /** Says that this isn't the text that ran; undefined where it is. */
  readonly warning: string | undefined;
  /** From 0; undefined if the node isn't in the text. */
  lineOf(nodeId: string): number | undefined;
  /** The node whose text has the line, which counts from 0. */
  nodeAt(line: number): string | undefined;
  hasNode(nodeId: string): boolean;
}

/** A recorded execution, which may still go on. It's only read. */
export interface Recording {
  readonly name: string;
  readonly runs: RunTree;
  /** How many node runs are gone, to save memory. */
  readonly goneRuns: number;
  readonly source: RecordedSource;
  /** Nothing more comes: the execution has ended, or it isn't followed any more. */
  readonly hasEnded: boolean;
  /** Why it isn't followed to its end; undefined if it is. */
  readonly failure: Error | undefined;
  /** Fires when runs were recorded, or nothing more comes. */
  readonly onDidChange: Event<void>;
  scopeOf(run: RunItem, signal: AbortSignal): Promise<RecordedScope>;
  /** Rejects only with the signal's reason. `run`: whose expressions see the values. */
  evaluate(expression: string, run: RunItem, signal: AbortSignal): Promise<RecordedEvaluation>;
  /** How many iterations a loop had, or was to have when it failed; undefined if that isn't known. Rejects only with the signal's reason. */
  countIterations(iteration: IterationItem, signal: AbortSignal): Promise<number | undefined>;
  /** What can be written at a place in an expression of the run. Rejects with the signal's reason. */
  complete(code: string, cursor: number, run: RunItem, signal: AbortSignal): Promise<readonly Offer[]>;
  /** Reads a value of which the list of rows has the beginning only. Rejects with a ServiceError. */
  readWhole(run: NodeRun, name: ValueName, signal: AbortSignal): Promise<JsonValue | undefined>;
}
