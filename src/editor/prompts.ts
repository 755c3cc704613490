// Asking a person: Escape always means stop, told to the caller as a cancellation, so that nothing can run on after it.
import * as vscode from 'vscode';
import { drawn, type PickItem } from './picks/pickItem.ts';
import { withSignal } from './surfaces/documents.ts';

/** The person pressed Escape. Commands end silently on it. */
export class Cancelled extends Error {
  override readonly name = 'Canceled';
  constructor() {
    super('Canceled');
  }
}

export interface Choice<T> extends PickItem {
  readonly value: T;
}

/** Lets a person choose one; rejects with Cancelled on Escape. The choices may still be loading. */
export async function choose<T>(
  placeHolder: string,
  choices: readonly Choice<T>[] | Promise<readonly Choice<T>[]>,
): Promise<T> {
  const picked = await vscode.window.showQuickPick<Choice<T>>(
    Promise.resolve(choices).then((all) => all.map(drawn)),
    { placeHolder, matchOnDescription: true, matchOnDetail: true },
  );
  if (picked === undefined) throw new Cancelled();
  return picked.value;
}

export interface Question {
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  readonly isSecret?: boolean;
  /** Which part of the value typing replaces: where it begins and ends; all of it by default. */
  readonly selection?: readonly [number, number];
  /** Says what is wrong with the text, or undefined. */
  readonly validate?: (text: string) => string | undefined;
}

/** Asks for a line of text; rejects with Cancelled on Escape. */
export async function askText(question: Question): Promise<string> {
  const { validate, selection } = question;
  const text = await vscode.window.showInputBox({
    prompt: question.prompt,
    ignoreFocusOut: true,
    password: question.isSecret ?? false,
    ...(question.value === undefined ? {} : { value: question.value }),
    ...(question.placeHolder === undefined ? {} : { placeHolder: question.placeHolder }),
    ...(selection === undefined ? {} : { valueSelection: [...selection] }),
    ...(validate === undefined ? {} : { validateInput: (value: string) => validate(value) }),
  });
  if (text === undefined) throw new Cancelled();
  return text.trim();
}

/** Asks once before something goes on; rejects with Cancelled on Escape. A Quick Pick, so that it works without a mouse and in every host. */
export async function confirm(question: string, action: PickItem, detail: string): Promise<void> {
  await choose(question, [{ ...action, detail, value: undefined }]);
}

const momentMs = 1500;

/** Runs work that mostly takes a moment; progress is shown, and can be cancelled, once it takes longer. */
export async function withLateProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const working = work(controller.signal);
  const ended = working.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    void withProgress(title, async (signal) => {
      signal.addEventListener('abort', () => controller.abort(signal.reason));
      await ended;
    });
  }, momentMs);
  try {
    return await working;
  } finally {
    clearTimeout(timer);
  }
}

/** Says how far work has come: what is being done now, and how many percent have come on top. */
export type ReportProgress = (message: string, increment: number) => void;

/** Runs long work with progress in the notification area; its signal is aborted when the person cancels. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) =>
      withSignal(
        token,
        (signal) => work(signal, (message, increment) => progress.report({ message, increment })),
        new Cancelled(),
      ),
  );
}
