// Says what a service didn't keep of definitions that it was given.
import * as vscode from 'vscode';
import type { Logger } from '../../../base/logger.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { plainLine } from '../../../base/format.ts';

interface Given {
  readonly workflow: Workflow;
  readonly leftOut: readonly string[];
}

const shownNames = 5;
const shownWorkflows = 5;

/** Returns a sentence for each of the first workflows that lack something; the log has all. */
export function leftOutSentences(given: readonly Given[]): readonly string[] {
  const lacking = given.filter(({ leftOut }) => leftOut.length > 0);
  const sentences = lacking
    .slice(0, shownWorkflows)
    .map(({ workflow, leftOut }) =>
      given.length === 1
        ? vscode.l10n.t("The service didn't keep: {0}.", listNames(leftOut))
        : vscode.l10n.t(
            'Of "{0}", the service didn\'t keep: {1}.',
            plainLine(workflow.name, 80),
            listNames(leftOut),
          ),
    );
  const more = lacking.length - sentences.length;
  return more === 0
    ? sentences
    : [...sentences, vscode.l10n.t('{0} more lack something; the log says what.', more)];
}

export function logLeftOut(logger: Logger, { id }: Workflow, leftOut: readonly string[]): void {
  if (leftOut.length > 0)
    logger.warn(`The service didn't keep of workflow ${id}: ${plainLine(leftOut.join(', '), 2000)}`);
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => plainLine(name, 80));
  const more = names.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [vscode.l10n.t('{0} more', more)])].join(', ');
}
