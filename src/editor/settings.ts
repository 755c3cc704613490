// The settings, typed and decoded. A wrong value in settings.json is replaced with the default.
import { workspace } from 'vscode';
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
  /** Show the log channel when an execution is started here. */
  revealLogs: () => read('logs.revealOnExecute', isBoolean, true),
};

/** Fires when a setting of the key guard changes. */
export function onDidChangeKeyGuard(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (['keyGuard', 'keyPrefix'].some((name) => change.affectsConfiguration(`${section}.${name}`)))
      listener();
  });
}

/** Fires when the listen mode changes. */
export function onDidChangeListenMode(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${section}.portalEvents.listen`)) listener();
  });
}

export interface ProxySettings {
  readonly proxy: string | undefined;
  readonly noProxy: readonly string[];
  readonly strictTls: boolean;
  readonly systemCertificates: boolean;
  /** Empty when the environment's proxies must not be used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
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
    environment: isOff ? {} : process.env,
  };
}

/** Fires when the proxy settings change. */
export function onDidChangeProxySettings(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('http')) listener();
  });
}

export interface OperationSettings extends Disposable {
  /** Returns the same object until the setting changes. */
  readonly read: () => OperationOverrides;
}

/** The setting "operations", read on first use. Mistakes in it are logged and ignored. */
export function createOperationSettings(logger: Logger): OperationSettings {
  let current: OperationOverrides | undefined;
  const listener = workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${section}.operations`)) current = undefined;
  });
  return {
    read() {
      if (current) return current;
      const { overrides, problems } = readOperationOverrides(
        workspace.getConfiguration(section).get('operations'),
      );
      for (const problem of problems) logger.warn(`Setting ${section}: ${problem}`);
      return (current = overrides);
    },
    dispose: () => {
      listener.dispose();
    },
  };
}
