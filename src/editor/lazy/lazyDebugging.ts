import { debug, DebugAdapterInlineImplementation } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface, type LoadApp } from './lazySurfaces.ts';

/** Makes what a debug session talks to. */
export interface Debugging {
  /** Completes a configuration; undefined: it isn't started, and the person knows why. */
  resolve(
    configuration: vscode.DebugConfiguration,
    token?: vscode.CancellationToken,
  ): Promise<vscode.DebugConfiguration | undefined>;
  createAdapter(session: vscode.DebugSession): vscode.DebugAdapter | Promise<vscode.DebugAdapter>;
}

/** Debug sessions of one type, which are started before or after the app is loaded. */
export class LazyDebugging extends LazySurface<Debugging> {
  constructor(type: string, load: LoadApp) {
    super(load);
    this.own(
      debug.registerDebugConfigurationProvider(type, {
        resolveDebugConfiguration: async (_folder, configuration, token) =>
          (await this.provider()).resolve(configuration, token),
      }),
    );
    this.own(
      debug.registerDebugAdapterDescriptorFactory(type, {
        createDebugAdapterDescriptor: async (session) =>
          new DebugAdapterInlineImplementation(await (await this.provider()).createAdapter(session)),
      }),
    );
  }
}
