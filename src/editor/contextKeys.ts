// Sets context keys, and sends a value only when it changed.
import * as vscode from 'vscode';
import { contextKeys } from './ids.ts';

export type ContextKeyName = keyof typeof contextKeys;
export type ContextKeys = (name: ContextKeyName, value: string | boolean | undefined) => void;

export function createContextKeys(): ContextKeys {
  const sent = new Map<ContextKeyName, string | boolean | undefined>();
  return (name, value) => {
    if (sent.has(name) && sent.get(name) === value) return;
    sent.set(name, value);
    void vscode.commands.executeCommand('setContext', contextKeys[name], value);
  };
}
