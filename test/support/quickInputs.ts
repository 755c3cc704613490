// The editor's boxes in which a person picks or types, for tests that do both.
import type * as vscode from 'vscode';
import { Emitter } from '../../src/base/event.ts';

class QuickInput {
  title: string | undefined;
  placeholder: string | undefined;
  prompt: string | undefined;
  validationMessage: unknown;
  value = '';
  busy = false;
  readonly #accepted = new Emitter<undefined>();
  readonly #hidden = new Emitter<undefined>();
  readonly #changed = new Emitter<string>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidTriggerButton = () => ({ dispose: () => undefined });

  show(): void {
    // Tests find it as it was created last.
  }

  accept(): void {
    this.#accepted.fire(undefined);
  }

  hide(): void {
    this.#hidden.fire(undefined);
  }

  type(value: string): void {
    this.value = value;
    this.#changed.fire(value);
  }

  dispose(): void {
    this.#accepted.dispose();
    this.#hidden.dispose();
    this.#changed.dispose();
  }
}

export class QuickPick extends QuickInput {
  activeItems: readonly vscode.QuickPickItem[] = [];
  #items: readonly vscode.QuickPickItem[] = [];

  get items(): readonly vscode.QuickPickItem[] {
    return this.#items;
  }
  /** As in the editor, the first one is active then. */
  set items(items: readonly vscode.QuickPickItem[]) {
    this.#items = [...items];
    this.activeItems = items.slice(0, 1);
  }
}

/** Holds those that were created last. */
export class QuickInputs {
  pick: QuickPick | undefined;
  box: QuickInput | undefined;

  readonly createQuickPick = (): QuickPick => (this.pick = new QuickPick());
  readonly createInputBox = (): QuickInput => (this.box = new QuickInput());
}
