import { tasks } from 'vscode';
import type * as vscode from 'vscode';
import { LazySurface, type LoadApp } from './lazySurfaces.ts';

/** Tasks of one type, which the editor lists and runs before or after the app is loaded. */
export class LazyTasks extends LazySurface<vscode.TaskProvider, void> {
  constructor(type: string, load: LoadApp) {
    super(load, () => undefined);
    this.own(
      tasks.registerTaskProvider(type, {
        provideTasks: async (token) => (await this.provider()).provideTasks(token),
        resolveTask: async (task, token) => (await this.provider()).resolveTask(task, token),
      }),
    );
  }
}
