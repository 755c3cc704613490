// The document of an execution's output.
import * as vscode from 'vscode';
import type { Output } from '../../../domain/execution.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { replaceInTabs } from '../../../editor/documents/documents.ts';
import { withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { wordOfStatus } from '../../../ui/words/status.ts';
import { type DocumentSource, type ExecutionDocument, isOfRecord } from './documentSource.ts';
import { outputEnding, type Outputs } from './outputs.ts';
import { renderJson } from './renderJson.ts';

type OutputDeps = Pick<App, 'executionDocuments' | 'executions' | 'logger'>;

/** `outputs`: those that were read before their documents are opened. */
export function createOutputSource(deps: OutputDeps, outputs: Outputs): DocumentSource {
  return {
    read: (document, signal) => readOutput(deps, outputs, document, signal),
    isTouched: isOfRecord,
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
