// A question whose answer is completed part by part while it's typed, and checked.
import * as vscode from 'vscode';
import { drawn, type PickItem, untilAnswered } from './prompts.ts';

export interface Completion extends PickItem {
  /** The whole text with the completion in it. */
  readonly text: string;
  /** True for a text that's taken at once, rather than typed on. */
  readonly isAnswer?: boolean;
}

interface TextProblem {
  readonly message: string;
  /** Whether it's at the end, where typing on or a completion may still mend it. */
  readonly isAtEnd: boolean;
}

export interface CompletedQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** What stands there at first. */
  readonly value: string;
  /** Of the text up to its end. */
  readonly complete: (text: string) => readonly Completion[];
  /** Returns what is wrong with a text that isn't empty, or undefined. */
  readonly check: (text: string) => TextProblem | undefined;
  /** Says that Enter takes the text. */
  readonly hint: string;
}

interface Row extends vscode.QuickPickItem {
  readonly completion: Completion;
}

/** Shown whatever was typed: what fits it was chosen already. */
const toRow = (completion: Completion): Row => ({ ...drawn(completion), alwaysShow: true, completion });

/** The text itself comes first: its label equals what was typed, so the editor sorts nothing before it. */
export function rowsOf({ complete, check, hint }: CompletedQuestion, text: string): readonly Row[] {
  const completions = complete(text).map(toRow);
  if (text.trim() === '') return completions;
  const problem = check(text);
  if (problem?.isAtEnd === true && completions.length > 0) return completions;
  const own: Completion =
    problem === undefined
      ? { icon: 'search', label: text, description: hint, text, isAnswer: true }
      : { icon: 'error', label: text, detail: problem.message, text };
  return [toRow(own), ...completions];
}

/** Returns the text without spaces around it, which `check` accepts; rejects with Cancelled on Escape. */
export async function askCompleted(question: CompletedQuestion): Promise<string> {
  const box = vscode.window.createQuickPick<Row>();
  let rows: readonly Row[] = [];
  const show = (text: string): void => {
    rows = rowsOf(question, text);
    box.items = rows;
    // Enter in an empty field takes nothing.
    if (text.trim() === '') box.activeItems = [];
  };
  box.title = question.title;
  box.placeholder = question.placeholder;
  box.value = question.value;
  show(question.value);
  return untilAnswered(box, (resolve) => {
    box.onDidChangeValue(show);
    box.onDidAccept(() => {
      // Enter right behind a letter comes while the rows of the text before are drawn: it means the text.
      const active = rows.find((row) => row === box.activeItems[0]);
      const own = rows.find(({ completion }) => completion.text === box.value);
      const { text, isAnswer = false } = (active ?? own)?.completion ?? { text: box.value };
      if (isAnswer && question.check(text) === undefined) {
        resolve(text.trim());
        return;
      }
      if (text === box.value) return;
      box.value = text;
      show(text);
    });
  });
}
