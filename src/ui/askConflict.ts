// Asks what becomes of a definition that both sides changed.
import * as vscode from 'vscode';
import { plainLine } from '../base/format.ts';
import type { JsonObject } from '../base/json.ts';
import { mergeDefinitions } from '../definition/mergeDefinitions.ts';
import { showMessage } from '../editor/prompts/prompts.ts';

export interface ConflictSides {
  /** The definition that both were made of; undefined if it isn't known: then nothing can be merged. */
  readonly base: JsonObject | undefined;
  readonly mine: JsonObject;
  readonly theirs: JsonObject;
}

export type ConflictDecision = 'merge' | 'mine' | 'theirs';

interface ConflictChoice {
  readonly decision: ConflictDecision;
  readonly definition: JsonObject;
}

interface Button extends vscode.MessageItem, ConflictChoice {}

/**
 * Asks in a notification: a Quick Pick would cover the lines that differ. `sentences`: what happened, and where both sides are. Returns
 * undefined if the user doesn't decide.
 */
export async function askConflict(
  { base, mine, theirs }: ConflictSides,
  sentences: readonly string[],
): Promise<ConflictChoice | undefined> {
  const merged = base && mergeDefinitions(base, mine, theirs);
  const collisions =
    merged === undefined || merged.collisions.length === 0
      ? []
      : [
          vscode.l10n.t(
            'Both changed {0}; Merge keeps yours there.',
            merged.collisions.map((place) => plainLine(place, 80)).join(', '),
          ),
        ];
  const buttons: Button[] = [
    { title: vscode.l10n.t('Keep Mine'), decision: 'mine', definition: mine },
    { title: vscode.l10n.t('Take Theirs'), decision: 'theirs', definition: theirs },
  ];
  if (merged !== undefined)
    buttons.unshift({
      title: vscode.l10n.t('Merge'),
      decision: 'merge',
      definition: merged.definition,
    });
  // The editor hides a warning after a while, but never an error with buttons.
  return showMessage('error', [...sentences, ...collisions].join(' '), buttons);
}
