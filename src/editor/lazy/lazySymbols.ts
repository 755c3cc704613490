import { languages } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface, type LoadApp } from './lazySurfaces.ts';

/** Where names are declared and used, and their renaming. */
type Symbols = vscode.DefinitionProvider & vscode.ReferenceProvider & Required<vscode.RenameProvider>;

/** What the editor may ask of the names in a text when the app isn't loaded yet. It drops the result where somebody has typed on. */
export class LazySymbols extends LazySurface<Symbols, void> {
  constructor(selector: vscode.DocumentSelector, load: LoadApp) {
    super(load, () => undefined);
    const symbols: Symbols = {
      provideDefinition: async (...asked) => (await this.provider()).provideDefinition(...asked),
      provideReferences: async (...asked) => (await this.provider()).provideReferences(...asked),
      prepareRename: async (...asked) => (await this.provider()).prepareRename(...asked),
      provideRenameEdits: async (...asked) => (await this.provider()).provideRenameEdits(...asked),
    };
    this.own(languages.registerDefinitionProvider(selector, symbols));
    this.own(languages.registerReferenceProvider(selector, symbols));
    this.own(languages.registerRenameProvider(selector, symbols));
  }
}
