// The open tabs of the editor that tests run without.
import type * as vscode from 'vscode';
import type { URI } from 'vscode-uri';
import { Emitter } from '../../src/base/event.ts';

export class TabInputText {
  readonly uri: URI;
  constructor(uri: URI) {
    this.uri = uri;
  }
}

export class TabInputTextDiff {
  readonly original: URI;
  readonly modified: URI;
  constructor(original: URI, modified: URI) {
    this.original = original;
    this.modified = modified;
  }
}

/** The open tabs, the one in front and the document with the cursor, as a test puts them there. */
export class Front {
  readonly activeTabGroup: { activeTab?: { readonly input: unknown } } = {};
  readonly #changed = new Emitter<undefined>();
  readonly onDidChangeTabs = this.#changed.event;
  readonly onDidChangeTabGroups = this.#changed.event;
  cursor: vscode.Uri | undefined;
  #tabs: { readonly input: unknown }[] = [];

  get all() {
    return [{ tabs: this.#tabs }];
  }

  /** Puts another tab in front. */
  show(input: unknown, cursor?: vscode.Uri): void {
    this.activeTabGroup.activeTab = { input };
    this.#tabs.push(this.activeTabGroup.activeTab);
    this.cursor = cursor;
    this.#changed.fire(undefined);
  }

  /** Closes all tabs. */
  close(): void {
    delete this.activeTabGroup.activeTab;
    this.#tabs = [];
    this.cursor = undefined;
    this.#changed.fire(undefined);
  }
}
