import { window } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface, type LoadApp } from './lazySurfaces.ts';

/** A view whose page comes from the app, which is loaded when the view is first shown. */
export class LazyWebview extends LazySurface<vscode.WebviewViewProvider, void> {
  constructor(viewId: string, load: LoadApp) {
    super(load, () => undefined);
    this.own(
      window.registerWebviewViewProvider(viewId, {
        resolveWebviewView: async (view, context, token) => {
          const provider = await this.provider();
          if (!token.isCancellationRequested) await provider.resolveWebviewView(view, context, token);
        },
      }),
    );
  }
}
