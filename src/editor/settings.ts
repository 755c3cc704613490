// The settings, typed and decoded. A wrong value in settings.json is replaced with the default.
import { ConfigurationTarget, workspace } from 'vscode';
import type * as vscode from 'vscode';
import { stringifyJson } from '../base/json.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { type OperationOverrides, readOperationOverrides } from '../protocol/operationOverrides.ts';

const section = 'workflowAutomation';

function read<T>(name: string, isValid: (value: unknown) => value is T, fallback: T): T {
  const value: unknown = workspace.getConfiguration(section).get(name);
  return isValid(value) ? value : fallback;
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isPrefix = (value: unknown): value is string => typeof value === 'string' && value.length > 0;

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const showExecutionName = 'definitions.showExecution';
const ignoredFieldsName = 'comparison.ignoredFields';
/** For the editor's search of settings. */
export const ignoredFieldsId = `${section}.${ignoredFieldsName}`;
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Which ends of executions are reported. */
export type Notify = 'never' | 'failures' | 'all';
const isNotify = (value: unknown): value is Notify =>
  value === 'never' || value === 'failures' || value === 'all';

/** When the extension listens for portal events. */
type ListenMode = 'whenVisible' | 'always' | 'never';
const isListenMode = (value: unknown): value is ListenMode =>
  value === 'whenVisible' || value === 'always' || value === 'never';

export const settings = {
  /** The prefix of all API keys. */
  keyPrefix: () => read('keyPrefix', isPrefix, 'svc_sk_'),
  /** Warn about API keys in open texts. */
  keyGuard: () => read('keyGuard', isBoolean, true),
  /** 0 keeps all. */
  keepDays: () => read('localService.keepDays', isCount, 30),
  /** 0 keeps all. */
  keepExecutions: () => read('localService.keepExecutions', isCount, 10_000),
  /** HTTP request nodes of the local service call public addresses only. */
  refusePrivateAddresses: () => read('localService.refusePrivateAddresses', isBoolean, false),
  startLocalServiceOnOpen: () => read('localService.startOnOpen', isBoolean, false),
  /** Which ends of executions started here are reported. */
  notify: () => read('notify', isNotify, 'failures'),
  listenMode: () => read('portalEvents.listen', isListenMode, 'whenVisible'),
  /** Patterns of the fields that comparisons leave out. */
  ignoredFields: () => read(ignoredFieldsName, isTexts, []),
  /** Show on a definition, node by node, what its execution did. */
  showExecution: () => read(showExecutionName, isBoolean, true),
  /** Show the log channel when an execution is started here. */
  revealLogs: () => read('logs.revealOnExecute', isBoolean, true),
};

/** Sets a setting where it's set: in the workspace, or else for the user. */
async function update(name: string, value: unknown): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  const isOfWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}

/** Adds a pattern to the list. Returns the whole list. */
export async function addIgnoredField(field: string): Promise<readonly string[]> {
  const known = settings.ignoredFields();
  if (known.includes(field)) return known;
  const fields = [...known, field];
  await update(ignoredFieldsName, fields);
  return fields;
}

/** Turns `showExecution` on or off. Returns the new value. */
export async function toggleShowExecution(): Promise<boolean> {
  const value = !settings.showExecution();
  await update(showExecutionName, value);
  return value;
}

/** Calls back with the new value when what `read` returns has changed. Values are compared as JSON. */
export function onDidChange<T>(read: () => T, listener: (value: T) => void): Disposable {
  let known = stringifyJson(read());
  return workspace.onDidChangeConfiguration(() => {
    const value = read();
    const text = stringifyJson(value);
    if (text === known) return;
    known = text;
    listener(value);
  });
}

/** True if VS Code's own JSON language lists the syntax errors of a document. It says nothing of an empty one. */
export function listsSyntaxErrors(document: vscode.TextDocument): boolean {
  return (
    document.languageId === 'json' &&
    document.getText() !== '' &&
    workspace.getConfiguration('json').get('validate.enable') !== false
  );
}

export interface ProxySettings {
  readonly proxy: string | undefined;
  readonly noProxy: readonly string[];
  readonly strictTls: boolean;
  readonly systemCertificates: boolean;
  /** Empty when the environment's proxies must not be used; missing when they may. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The editor's own proxy settings, which an npm HTTP client doesn't see by itself. */
export function readProxySettings(): ProxySettings {
  const http = workspace.getConfiguration('http');
  const isOff = http.get('proxySupport') === 'off';
  const proxy: unknown = http.get('proxy');
  const noProxy: unknown = http.get('noProxy');
  return {
    proxy: !isOff && typeof proxy === 'string' && proxy !== '' ? proxy : undefined,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
    strictTls: http.get('proxyStrictSSL') !== false,
    systemCertificates: http.get('systemCertificates') !== false,
    ...(isOff ? { environment: {} } : {}),
  };
}

/** The setting "operations", decoded when it's first needed. Mistakes in it are logged and ignored. */
export class OperationSettings implements Disposable {
  readonly #logger: Logger;
  readonly #listener: Disposable;
  #current: OperationOverrides | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#listener = onDidChange(readOperations, () => {
      this.#current = undefined;
    });
  }

  /** Returns the same object until the setting changes. */
  read(): OperationOverrides {
    if (this.#current) return this.#current;
    const { overrides, problems } = readOperationOverrides(readOperations());
    for (const problem of problems) this.#logger.warn(`Setting ${section}: ${problem}`);
    return (this.#current = overrides);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}

function readOperations(): unknown {
  return workspace.getConfiguration(section).get('operations');
}
