import * as vscode from 'vscode';
import { type Choice, Cancelled, drawn, untilAnswered } from './prompts.ts';

/** Adds what was found meanwhile. */
type AddChoices<T> = (choices: readonly Choice<T>[]) => void;

export interface FindingPick<T> {
  readonly title: string;
  readonly placeholder: string;
  /** The placeholder when everything was found. `count`: how many choices there are. */
  readonly describeEnd: (count: number) => string;
  /** Finds the choices. The signal is aborted when the user has chosen or pressed Escape. */
  readonly find: (add: AddChoices<T>, signal: AbortSignal) => Promise<void>;
}

/** Lets the user choose among what is found, while it's found; rejects with Cancelled on Escape, and with what `find` rejects with. */
export async function chooseWhileFinding<T>(asked: FindingPick<T>): Promise<T> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  const ended = new AbortController();
  const choices: Choice<T>[] = [];
  try {
    pick.title = asked.title;
    pick.placeholder = asked.placeholder;
    pick.matchOnDescription = true;
    pick.busy = true;
    return await untilAnswered<T>(pick, (resolve, reject) => {
      pick.onDidAccept(() => {
        const [choice] = pick.activeItems;
        if (choice) resolve(choice.value);
      });
      const finding = asked.find((found) => {
        choices.push(...found.map(drawn));
        // New items make the first one active.
        const active = [...pick.activeItems];
        pick.keepScrollPosition = active.length > 0;
        pick.items = choices;
        if (active.length > 0) pick.activeItems = active;
      }, ended.signal);
      void finding.then(() => {
        pick.busy = false;
        pick.placeholder = asked.describeEnd(choices.length);
      }, reject);
    });
  } finally {
    ended.abort(new Cancelled());
  }
}
