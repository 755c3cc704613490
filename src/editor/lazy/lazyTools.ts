import { lm } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface } from './lazySurfaces.ts';

/** What the editor asks of the tools for language models. `input` fits the schema in package.json. */
export interface ToolProvider {
  prepare(
    id: string,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation | undefined>;
  invoke(id: string, input: object, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult>;
}

/** The tools for language models, which the editor may ask for before the app is loaded. */
export class LazyTools extends LazySurface<ToolProvider> {
  /** `ids`: as in package.json. */
  register(ids: readonly string[]): void {
    for (const id of ids)
      this.own(
        lm.registerTool<object>(id, {
          prepareInvocation: async ({ input }, token) => (await this.provider()).prepare(id, input, token),
          invoke: async ({ input }, token) => (await this.provider()).invoke(id, input, token),
        }),
      );
  }
}
