import type * as vscode from 'vscode';
import type { Event } from '../../../base/event.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import { type ExecutionChange, isAbout } from '../../../model/executions/connectionExecutions.ts';
import { executionAddress, type ExecutionAddress, type ExecutionPart } from '../../../ui/addresses.ts';
import type { Section } from './sections.ts';

/** A document of an execution. */
export interface ExecutionDocument {
  readonly uri: vscode.Uri;
  readonly address: ExecutionAddress;
}

/** A node run with its execution. */
export interface NodeRunTarget extends ExecutionTarget {
  readonly nodeRunKey: string;
}

/** The texts of one part of executions. */
export interface DocumentSource {
  /** Throws FileNotFound, a ServiceError, or the signal's reason. */
  readonly read: (document: ExecutionDocument, signal: AbortSignal) => Promise<string>;
  /** True if the change may affect the text. Reading most parts costs a request, so those that can't change are skipped. */
  readonly isTouched: (address: ExecutionAddress, change: ExecutionChange) => boolean;
  /** Fires when something else than an execution has changed: for the texts of this execution, or with null for all. */
  readonly onDidChange?: Event<ExecutionTarget> | Event<null> | undefined;
  /** Returns the sections of the text, in its order, as far as the document has them: the text may be newer. */
  readonly sectionsOf?: (document: vscode.TextDocument, address: ExecutionAddress) => readonly Section[];
  /** Returns the node run that a line is about. */
  readonly findRun?: (document: ExecutionDocument, line: number) => NodeRunTarget | undefined;
  /** Called when the document is closed. */
  readonly forget?: (document: ExecutionDocument) => void;
}

/** For parts that are of one record, and not of its node runs. */
export function isAboutRecord({ target }: ExecutionAddress, change: ExecutionChange): boolean {
  return change.kind === 'rows' && isAbout(change, target);
}

/** True for a document with this part of the execution. */
export function isDocumentOf(uri: vscode.Uri, part: ExecutionPart, target: ExecutionTarget): boolean {
  const address = executionAddress(uri);
  return address?.part === part && executionName(address.target) === executionName(target);
}
