// Links of files to workflows, as a test sets them.
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event.ts';
import { targetName, type WorkflowTarget } from '../../../src/domain/targets.ts';
import type { DefinitionLinks } from '../../../src/ui/definitionTargets.ts';

export class MemoryLinks implements DefinitionLinks {
  readonly #targets = new Map<string, WorkflowTarget>();
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.event;

  find(uri: vscode.Uri): { readonly target: WorkflowTarget } | undefined {
    const target = this.#targets.get(uri.toString());
    return target && { target };
  }

  filesOf(target: WorkflowTarget): readonly vscode.Uri[] {
    const ofIt = ([, found]: readonly [string, WorkflowTarget]) => targetName(found) === targetName(target);
    return [...this.#targets].filter(ofIt).map(([uri]) => vscode.Uri.parse(uri, true));
  }

  /** Those that were found to be what the service has. */
  readonly pushed = new Set<string>();
  readonly onDidCompare = this.#changes.event;

  isPushed({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
    return this.pushed.has(uri.toString());
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  /** `target`: undefined ends the link. */
  set(uri: vscode.Uri, target: WorkflowTarget | undefined): void {
    if (target === undefined) this.#targets.delete(uri.toString());
    else this.#targets.set(uri.toString(), target);
    this.#changes.fire();
  }
}
