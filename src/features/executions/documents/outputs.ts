// The file extension of an output's document depends on the output's type, so the output is read before its document is opened.
import type { Output } from '../../../domain/execution.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import * as vscode from 'vscode';
import { replaceInTabs } from '../../../editor/documents/documents.ts';
import { withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { wordOfStatus } from '../../../words/status.ts';
import { type DocumentSource, type ExecutionDocument, isAboutRecord } from './documentSource.ts';
import { renderJson } from './renderJson.ts';

const endings: readonly (readonly [mediaType: RegExp, ending: string])[] = [
  [/^text\/html$|^application\/xhtml\+xml$/, '.html'],
  [/^image\/svg\+xml$/, '.svg'],
  [/^(text|application)\/xml$|\+xml$/, '.xml'],
  [/^(text|application)\/csv$/, '.csv'],
  [/^text\/tab-separated-values$/, '.tsv'],
  [/^text\/(x-)?markdown$/, '.md'],
  [/^(text|application)\/(x-)?yaml$|\+yaml$/, '.yaml'],
  [/^application\/(x-)?(ndjson|jsonl|json-lines)$/, '.jsonl'],
  [/^(text|application)\/(x-)?javascript$/, '.js'],
  [/^text\/css$/, '.css'],
];

/** The file extension for an output; ".json" unless the output is text. */
export function outputEnding(output: Output): string {
  if (output.kind !== 'text') return '.json';
  const mediaType = output.mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return endings.find(([known]) => known.test(mediaType))?.[1] ?? '.txt';
}

/** An output that was read for a document. */
export interface OutputReading {
  readonly target: ExecutionTarget;
  readonly output: Output;
}

/** Outputs on their way to the documents that they were read for. */
export class Outputs {
  readonly #lent = new Map<string, Output>();

  /** Opens documents of these outputs, which take them instead of reading them again. */
  async lend<T>(readings: readonly OutputReading[], open: () => PromiseLike<T>): Promise<T> {
    for (const { target, output } of readings) this.#lent.set(executionName(target), output);
    try {
      return await open();
    } finally {
      // Those of documents that were open already weren't taken.
      for (const { target } of readings) this.#lent.delete(executionName(target));
    }
  }

  /** Returns the output that was read for the document, once. */
  take(target: ExecutionTarget): Output | undefined {
    const name = executionName(target);
    const output = this.#lent.get(name);
    this.#lent.delete(name);
    return output;
  }
}

type OutputDeps = Pick<App, 'executionDocuments' | 'executions' | 'logger'>;

/** `outputs`: those that were read before their documents are opened. */
export function createOutputSource(deps: OutputDeps, outputs: Outputs): DocumentSource {
  return {
    read: (document, signal) => readOutput(deps, outputs, document, signal),
    isTouched: isAboutRecord,
  };
}

async function readOutput(
  deps: OutputDeps,
  outputs: Outputs,
  { uri, address: { target } }: ExecutionDocument,
  signal: AbortSignal,
): Promise<string> {
  const output = outputs.take(target) ?? (await deps.executions.output(target, signal));
  if (!uri.path.endsWith(outputEnding(output))) void rename(deps, outputs, uri, { target, output });
  return renderOutput(output, signal);
}

/** Replaces a document that was opened, and named, before the type of its output was known. */
async function rename(
  { executionDocuments, logger }: OutputDeps,
  outputs: Outputs,
  uri: vscode.Uri,
  reading: { readonly target: ExecutionTarget; readonly output: Output },
): Promise<void> {
  const renamed = withEnding(uri, outputEnding(reading.output));
  try {
    await outputs.lend([reading], async () => {
      // Loaded first: what the user opens in the meantime then stays in front.
      await executionDocuments.open(renamed);
      await replaceInTabs(uri, renamed);
    });
  } catch (error) {
    logger.error('The document of an output could not be given its right name.', error);
  }
}

/** JSON doesn't allow comments, so a small object represents an output that isn't ready. */
async function renderOutput(output: Output, signal: AbortSignal): Promise<string> {
  switch (output.kind) {
    case 'text':
      return output.text;
    case 'ready': {
      return renderJson(output.output ?? (output.error && { error: { ...output.error } }), signal);
    }
    case 'notReady': {
      const { notKeptBy } = output.status ?? {};
      if (notKeptBy !== undefined) {
        const notKept = vscode.l10n.t('The execution has ended, and {0} keeps no record of it.', notKeptBy);
        return renderJson({ notKept }, signal);
      }
      const word = output.status === null ? '' : wordOfStatus(output.status);
      const notReady = vscode.l10n.t("There's no output yet: the execution is {0}.", word);
      return renderJson({ notReady }, signal);
    }
  }
}
