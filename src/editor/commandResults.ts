// What each command returns to code.
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { CommandName } from './ids.ts';

interface WorkflowDeployment {
  readonly workflowId: string;
  readonly isDeployed: boolean;
}

/** The iteration of a loop that a definition shows, from 1, and how many there are. */
interface SelectedIteration {
  readonly nodeId: string;
  readonly iteration: number;
  readonly iterations: number;
}

/** The result of the commands that execute a workflow. */
export interface ExecuteResult {
  readonly workflowId: string;
  readonly eventIds: readonly string[];
  readonly status: string;
  /** Missing when the service doesn't return it at once. */
  readonly executionId?: string;
}

/** The commands that copy a text, which code gets instead. */
type CopyCommand =
  | `connection.copy${'BaseUrl' | 'Id'}`
  | `workflow.copy${'AsCurl' | 'AsFetch' | 'AsPython' | 'Id'}`
  | `execution.copy${'Id' | 'Report' | 'Link'}`
  | `nodeRun.copy${'NodeId' | 'AsCurl'}`;

/** The results that commands return to code, as plain JSON. Commands that aren't listed return nothing. */
interface CommandResults extends Readonly<Record<CopyCommand, string>> {
  'connection.add': { readonly connectionId: string };
  'connection.switch': { readonly connectionId: string };
  'connection.switchTo': { readonly connectionId: string };
  'connection.rename': { readonly connectionId: string; readonly name: string };
  'connection.remove': { readonly connectionId: string };
  'connection.replaceKey': { readonly connectionId: string };
  'connection.replaceMcpToken': { readonly connectionId: string; readonly hasMcpToken: boolean };
  /** The report. */
  'connection.diagnose': string;
  'connection.setSettingsPage': { readonly connectionId: string; readonly settingsUrl?: string };
  'connection.openSettingsPage': { readonly settingsUrl: string };
  'localService.start': { readonly connectionId: string; readonly baseUrl: string };
  'localService.setDataAside': {
    readonly folder: string;
    readonly connectionId: string;
    readonly baseUrl: string;
  };
  /** The new service, unless the user wants none. */
  'localService.reset': { readonly connectionId: string; readonly baseUrl: string };
  /** The record with the key. */
  'apiKey.create': JsonValue;
  'apiKey.revoke': { readonly keyId: string };
  'secret.create': { readonly name: string };
  'secret.replaceValue': { readonly name: string };
  'secret.copyName': { readonly name: string };
  'secret.delete': { readonly name: string };
  'secret.moveToken': { readonly name: string };
  'keyGuard.moveKey': { readonly connectionId: string };
  'workflow.list': readonly {
    readonly id: string;
    readonly name: string;
    readonly isDeployed: boolean | null;
  }[];
  'workflow.create': { readonly workflowId: string };
  'workflow.import': { readonly workflowId: string };
  /** The definition. */
  'workflow.export': JsonObject;
  /** The document's URI; the same for every command that opens a document. */
  'workflow.open': string;
  'workflow.rename': { readonly workflowId: string; readonly name: string };
  'workflow.delete': { readonly workflowId: string };
  'workflow.duplicate': { readonly workflowId: string };
  'workflow.deploy': WorkflowDeployment;
  'workflow.undeploy': WorkflowDeployment;
  'workflow.unarchive': { readonly workflowId: string };
  /** Lines and columns begin at 1. */
  'workflow.showProblems': readonly {
    readonly message: string;
    readonly line: number;
    readonly column: number;
  }[];
  'workflow.previousIteration': SelectedIteration;
  'workflow.nextIteration': SelectedIteration;
  'definitions.toggleExecution': { readonly isShown: boolean };
  'workflow.chooseExecution': { readonly executionId: string };
  'workflow.evaluateExpression': { readonly executionId: string; readonly value: JsonValue };
  'workflow.compareWithDeployed': { readonly workflowId: string; readonly isDifferent: boolean };
  'workflow.openInput': string;
  'workflow.execute': ExecuteResult;
  /** The address of the page. */
  'workflow.openInN8n': string;
  'execution.openInN8n': string;
  'workflow.executeDraft': ExecuteResult;
  'workflow.inputHistory': readonly { readonly input: JsonObject; readonly usedAt: string }[];
  'workflow.inputPresets': readonly { readonly name: string; readonly uri: string }[];
  'workflow.saveInputPreset': { readonly fileUri: string };
  'preset.execute': ExecuteResult;
  'node.execute': ExecuteResult;
  'node.executeUpTo': ExecuteResult;
  /** The URI of the pin's document. */
  'node.editPin': string;
  'node.removePin': { readonly nodeId: string };
  /** The URI of the code's document. */
  'node.editCode': string;
  'execution.list': readonly {
    readonly id: string;
    readonly workflowId: string | null;
    readonly status: string;
  }[];
  'execution.open': string;
  'execution.openInput': string;
  'execution.openOutput': string;
  'execution.openLog': string;
  'execution.openTimeline': string;
  'execution.openDefinition': string;
  /** Lines count from 1. The first 1,000 that contain the text. */
  'execution.searchLog': readonly { readonly line: number; readonly text: string }[];
  /** The document's URI. */
  'execution.openLink': string;
  'execution.nextMatch': { readonly line: number; readonly text: string };
  'execution.previousMatch': { readonly line: number; readonly text: string };
  'execution.filterLog': string;
  'execution.saveLog': { readonly fileUri: string; readonly lineCount: number };
  'execution.openFirstError': string;
  'execution.showEarlierLines': string;
  'execution.showLaterLines': string;
  'execution.showLatestLines': string;
  'execution.showLogs': { readonly executionId: string };
  'execution.stopFollowing': { readonly executionId: string };
  /** The status after the call: what still has to end is cancelled soon after. */
  'execution.cancel': { readonly executionId: string; readonly status: string };
  'execution.cancelFollowed': { readonly executionId: string; readonly status: string };
  'execution.retry': ExecuteResult;
  'execution.rerun': ExecuteResult;
  'execution.editInput': string;
  /** The URIs of both sides. */
  'execution.compare': readonly string[];
  'execution.compareWithLastSuccess': readonly string[];
  'comparison.openDiff': readonly string[];
  /** The whole list. */
  'comparison.ignoreField': { readonly ignoredFields: readonly string[] };
  'execution.openFailedNode': string;
  'execution.openRetried': string;
  'execution.openRetry': string;
  'execution.openParent': string;
  /** When the session has stopped for the first time. */
  'execution.debug': Readonly<Record<string, never>>;
  /** The URI of the definition. */
  'execution.showInDefinition': string;
  'executions.filter': null;
  'nodeRun.open': string;
  'nodeRun.openLog': string;
  /** The URI of the definition. */
  'nodeRun.revealInDefinition': string;
  'nodeRun.retry': ExecuteResult;
  'nodeRun.openChild': string;
  'nodeRun.pinOutput': { readonly workflowId: string; readonly nodeId: string };
  'portalEvents.list': readonly {
    readonly id: string | null;
    readonly type: string;
    readonly timestamp: string | null;
  }[];
  'portalEvents.filter': null;
  'portalEvents.send': { readonly eventIds: readonly string[] };
  'portalEvent.open': string;
  'portalEvent.copyPayload': JsonValue;
  'portalEvent.copyAsInput': JsonValue;
  'portalEvent.executeWith': string;
  'portalEvent.showExecution': string;
}

export type CommandResult<N extends CommandName> = N extends keyof CommandResults
  ? CommandResults[N]
  : unknown;
