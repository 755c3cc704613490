import * as vscode from 'vscode';
import { aborted } from '../../base/async.ts';
import type { Observable } from '../../base/event.ts';
import { withSignal } from '../documents/documents.ts';
import { withoutIcons, withoutIconsAndLinks, withoutLinks } from '../../base/format.ts';

/** The user pressed Escape. Commands end silently on it. */
export class Cancelled extends Error {
  override readonly name = 'Canceled';
  constructor() {
    super('Canceled');
  }
}

export interface PickItem extends vscode.QuickPickItem {
  /** A codicon's name, drawn before the label. */
  readonly icon?: string;
}

/** Returns the item as the editor shows it, with its icon. Its texts may come from outside, so icons in them are escaped. */
export function drawn<T extends PickItem>(item: T): T {
  const { icon, label, description, detail } = item;
  return {
    ...item,
    label: `${icon === undefined ? '' : `$(${icon}) `}${withoutIcons(label)}`,
    ...(description === undefined ? {} : { description: withoutIcons(description) }),
    ...(detail === undefined ? {} : { detail: withoutIcons(detail) }),
  };
}

export interface Choice<T> extends PickItem {
  readonly value: T;
}

/** Lets the user choose an item; rejects with Cancelled on Escape. The choices may still be loading. */
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

/** Shows a box until `listen`, which is called before, has settled the answer. Rejects with Cancelled on Escape. */
export async function untilAnswered<T>(
  box: vscode.QuickInput,
  listen: (resolve: (answer: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) => {
      listen(resolve, reject);
      box.onDidHide(() => reject(new Cancelled()));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

interface RowAction<A extends string> {
  readonly name: A;
  /** A codicon's name. */
  readonly icon: string;
  readonly tooltip: string;
}

export interface RowChoice<T, A extends string> extends PickItem {
  readonly value: T;
  readonly actions?: readonly RowAction<A>[];
}

/** The value of the chosen row, and the button if one was clicked. */
export interface RowPicked<T, A extends string> {
  readonly value: T;
  readonly action: A | undefined;
}

/** Lets the user choose a row or one of its buttons; rejects with Cancelled on Escape. */
export async function chooseRow<T, A extends string>(
  placeholder: string,
  choices: readonly RowChoice<T, A>[],
): Promise<RowPicked<T, A>> {
  const pick = vscode.window.createQuickPick<RowChoice<T, A>>();
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = choices.map((choice) => ({
    ...drawn(choice),
    buttons: (choice.actions ?? []).map(({ icon, tooltip }) => ({
      iconPath: new vscode.ThemeIcon(icon),
      tooltip,
    })),
  }));
  return untilAnswered(pick, (resolve) => {
    pick.onDidAccept(() => {
      const [row] = pick.activeItems;
      if (row) resolve({ value: row.value, action: undefined });
    });
    pick.onDidTriggerItemButton(({ item: { value, actions = [], buttons = [] }, button }) =>
      resolve({ value, action: actions[buttons.indexOf(button)]?.name }),
    );
  });
}

export interface Question {
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  /** The part of the value that typing replaces, as start and end; all of it by default. */
  readonly selection?: readonly [number, number];
  /** Returns what is wrong with the text, or undefined. */
  readonly validate?: (text: string) => string | undefined;
}

/** A question of a flow. */
export interface StepQuestion extends Question {
  readonly isSecret?: boolean;
  /** Returns what the user should know of the text, which is taken all the same, or undefined. */
  readonly warn?: (text: string) => string | undefined;
}

/** What is wrong with the text, as a box shows it. */
export function problemIn(text: string, validate: Question['validate']): string | undefined {
  const problem = validate?.(text);
  return problem === undefined ? undefined : withoutIconsAndLinks(problem);
}

/** Asks for a line of text; rejects with Cancelled on Escape. */
export async function askText(question: Question): Promise<string> {
  const { validate, selection } = question;
  const text = await vscode.window.showInputBox({
    prompt: withoutIconsAndLinks(question.prompt),
    ignoreFocusOut: true,
    ...(question.value === undefined ? {} : { value: question.value }),
    ...(question.placeHolder === undefined ? {} : { placeHolder: question.placeHolder }),
    ...(selection === undefined ? {} : { valueSelection: [...selection] }),
    validateInput: (value) => problemIn(value, validate),
  });
  if (text === undefined) throw new Cancelled();
  return text.trim();
}

const shows = {
  information: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
} as const;

/**
 * Shows a notification with buttons. Resolves with the button that was clicked, or undefined. It's the only way to show one: links are
 * removed, since a notification turns "[text](command:…)" into a link that runs a command.
 */
export async function showMessage<T extends vscode.MessageItem>(
  kind: keyof typeof shows,
  text: string,
  actions: readonly T[] = [],
): Promise<T | undefined> {
  return shows[kind]<T>(withoutLinks(text), ...actions);
}

const momentMs = 1500;

interface Waits {
  /** Not null while the notification of a wait for the request limit is shown. */
  readonly requestWaits: { readonly until: Observable<number | null> };
}

/**
 * Runs work that is usually quick. Shows cancellable progress once it takes longer, but not beside the notification of a wait for the
 * request limit.
 */
export async function withLateProgress<T>(
  { requestWaits: { until } }: Waits,
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = new AbortController();
  const untilChange = async (): Promise<void> => {
    const changed = Promise.withResolvers<undefined>();
    const watching = until.onDidChange(() => changed.resolve(undefined));
    await Promise.race([changed.promise, aborted(ended.signal)]);
    watching.dispose();
  };
  const show = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      if (until.current !== null) await untilChange();
      else
        await withProgress(title, async (signal) => {
          signal.addEventListener('abort', () => controller.abort(signal.reason));
          await untilChange();
        });
    }
  };
  const timer = setTimeout(() => void show(), momentMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Reports progress: the current step, and how many percent were added. */
export type ReportProgress = (message: string, increment: number) => void;

/** Runs long work with progress in the notification area, without links as in `showMessage`. Its signal is aborted when the user cancels. */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, token) =>
      withSignal(
        token,
        (signal) =>
          work(signal, (message, increment) =>
            progress.report({ message: withoutLinks(message), increment }),
          ),
        new Cancelled(),
      ),
  );
}
