import type { WorkflowTarget } from '../domain/targets.ts';

/** What helps after an error, where it can be offered: what a button runs, or the setting that it shows. */
export type ErrorAction =
  | {
      readonly label: string;
      readonly command:
        | 'connection.add'
        | 'localService.setDataAside'
        | 'localService.start'
        | 'showLog'
        | 'workflows.refresh';
    }
  | {
      readonly label: string;
      readonly command: 'connection.diagnose' | 'connection.replaceKey' | 'connection.replaceMcpToken';
      /** undefined: the user is asked which one. */
      readonly argument?: { readonly connectionId: string };
    }
  | { readonly label: string; readonly command: 'workflow.unarchive'; readonly argument: WorkflowTarget }
  | { readonly label: string; readonly setting: string };

/** An error as the user sees it. */
export interface ErrorDescription {
  readonly message: string;
  readonly actions: readonly ErrorAction[];
}
