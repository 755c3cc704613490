// Why: one way to register a command that works from the tree, from the palette and from code.
import * as vscode from 'vscode';
import { isAbortError } from '../base/cancellation.ts';
import { toDisposable } from '../base/disposable.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { ErrorDescription, Remedy } from './describeError.ts';
import { commandId } from './ids.ts';
import type { CommandName } from './ids.ts';

/** Marks what a tree hands to a command, as told apart from a plain object out of somebody's code. */
export interface TreeArgument {
  readonly isTreeElement: true;
}

/** True for what menus hand over: an element of a tree, or the address of the document in an editor's title. */
function isFromMenu(value: unknown): boolean {
  if (value instanceof vscode.Uri) return true;
  return (
    typeof value === 'object' && value !== null && 'isTreeElement' in value && value.isTreeElement === true
  );
}

/** How a command was asked for: by a person, who may be asked back, or by code, which may not. */
export interface Invocation {
  readonly isInteractive: boolean;
}

export interface CommandDefinition<Argument, Result> {
  /** Reads the object from a tree or from code; undefined when it does not fit. */
  readonly decode: (value: Readonly<Record<string, unknown>>) => Argument | undefined;
  /** What the object must look like, for the error of a caller who got it wrong. */
  readonly expects: string;
  /** Asks a person in the palette; rejects with Cancelled on Escape. */
  readonly ask: () => Promise<Argument>;
  readonly run: (argument: Argument, invocation: Invocation) => Promise<Result>;
}

/** Runs one command with what the editor handed over. */
type Handler = (value: unknown) => Promise<unknown>;

export interface Commands {
  /** Runs a registered command: nothing for the palette, an element for a menu, a plain object for code. */
  run(name: CommandName, value: unknown): Promise<unknown>;
  register<Argument, Result>(name: CommandName, definition: CommandDefinition<Argument, Result>): Disposable;
  /** For commands without an argument. */
  registerPlain<Result>(name: CommandName, run: () => Promise<Result>): Disposable;
  /** Shows an error once, with the buttons that help; silent when it was a cancellation. */
  present(error: unknown): Promise<void>;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** describe: the words for an error. */
export function createCommands(logger: Logger, describe: (error: unknown) => ErrorDescription): Commands {
  const handlers = new Map<CommandName, Handler>();
  const add = (name: CommandName, handler: Handler): Disposable => {
    handlers.set(name, handler);
    return toDisposable(() => handlers.delete(name));
  };

  async function present(error: unknown): Promise<void> {
    if (isAbortError(error)) return;
    const { message, remedies } = describe(error);
    logger.error(message, error);
    const picked = await vscode.window.showErrorMessage<vscode.MessageItem & { readonly remedy: Remedy }>(
      message,
      ...remedies.map((remedy) => ({ title: remedy.label, remedy })),
    );
    if (picked) await vscode.commands.executeCommand(commandId(picked.remedy.command));
  }

  async function interactively<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      void present(error);
      return undefined;
    }
  }

  return {
    present,
    run: async (name, value) => {
      const handler = handlers.get(name);
      if (handler === undefined) throw new Error(`Nothing was registered for ${commandId(name)}.`);
      return handler(value);
    },
    register: (name, definition) =>
      add(name, async (value) => {
        if (value === undefined || value === null) {
          return interactively(async () => definition.run(await definition.ask(), { isInteractive: true }));
        }
        const argument = isRecord(value) ? definition.decode(value) : undefined;
        if (argument === undefined) {
          throw new TypeError(`${commandId(name)} expects ${definition.expects}.`);
        }
        return isFromMenu(value)
          ? interactively(() => definition.run(argument, { isInteractive: true }))
          : definition.run(argument, { isInteractive: false });
      }),
    registerPlain: (name, run) => add(name, () => interactively(run)),
  };
}
