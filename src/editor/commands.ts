// One way to register a command that works from the tree, from the palette and from code.
import * as vscode from 'vscode';
import { isAbortError } from '../base/cancellation.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { showMessage } from './messages.ts';
import { commandId, type CommandName } from './ids.ts';
import type { ErrorAction, ErrorDescription } from './plainError.ts';

/** Marks what a row, a lens or a button hands to a command, to tell it from a plain object out of someone's code. */
export interface PersonsArgument {
  readonly invokedBy: 'person';
}

/** True for what a row, a lens or a button hands over: a person chose it, so the command may ask back. */
export function isInvokedByPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'invokedBy' in value && value.invokedBy === 'person';
}

/** True for what menus hand over: an element of a tree, or the address of the document in an editor's title. */
function isFromMenu(value: unknown): boolean {
  return value instanceof vscode.Uri || isInvokedByPerson(value);
}

/** How a command was asked for: by a person, who may be asked back, or by code, which may not. */
interface Invocation<Argument = unknown> {
  readonly isInteractive: boolean;
  /** All the rows that were selected when the command was chosen on one of them, that one included; else the argument alone. */
  readonly selected: readonly Argument[];
}

export interface CommandDefinition<Argument, Result> {
  /** Reads the object from a tree or from code; undefined when it does not fit: code is told so, a person is asked. */
  readonly decode: (value: Readonly<Record<string, unknown>>) => Argument | undefined;
  /** What the object must look like, for the error of a caller who got it wrong. */
  readonly expects: string;
  /** Asks a person in the palette, and where a menu hands over what the command does not act on; rejects with Cancelled on Escape. */
  readonly ask: () => Promise<Argument>;
  readonly run: (argument: Argument, invocation: Invocation<Argument>) => Promise<Result>;
}

/** Runs one command with what the editor handed over: the element it was chosen on, and all selected ones. */
type Handler = (value: unknown, selection: unknown) => Promise<unknown>;

export interface Commands {
  /** Runs a registered command: nothing for the palette, an element for a menu, a plain object for code. */
  run(name: CommandName, value: unknown, selection?: unknown): Promise<unknown>;
  register<Argument, Result>(name: CommandName, definition: CommandDefinition<Argument, Result>): Disposable;
  /** For commands without an argument; code may hand over {}. */
  registerPlain<Result>(
    name: CommandName,
    run: (invocation: Pick<Invocation, 'isInteractive'>) => Promise<Result>,
  ): Disposable;
  /** Shows an error once, with the buttons that help; silent when it was a cancellation. */
  present(error: unknown): Promise<void>;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What the selected rows stand for; those that the command does not act on are left out. */
function decodeSelection<Argument>(
  selection: unknown,
  { decode }: Pick<CommandDefinition<Argument, unknown>, 'decode'>,
): readonly Argument[] {
  if (!Array.isArray(selection)) return [];
  return selection.flatMap((element: unknown) => {
    const argument = isFromMenu(element) && isRecord(element) ? decode(element) : undefined;
    return argument === undefined ? [] : [argument];
  });
}

/** As chosen in a menu: a person pressed the button, and is asked or shown an error like one. */
async function apply(action: ErrorAction): Promise<void> {
  if ('setting' in action)
    await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${action.setting}`);
  else if (action.connectionId === undefined) await vscode.commands.executeCommand(commandId(action.command));
  else
    await vscode.commands.executeCommand(commandId(action.command), {
      invokedBy: 'person',
      kind: 'connection',
      connectionId: action.connectionId,
    });
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
    const { message, actions } = describe(error);
    logger.error(message, error);
    const picked = await showMessage(
      'error',
      message,
      actions.map((action) => ({ title: action.label, action })),
    );
    if (picked) await apply(picked.action);
  }

  async function interactively<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      void present(error);
      return undefined;
    }
  }

  const register: Commands['register'] = (name, definition) =>
    add(name, async (value, selection) => {
      const given = isRecord(value) ? definition.decode(value) : undefined;
      if (value === undefined || value === null || isFromMenu(value)) {
        return interactively(async () => {
          // The title of a view hands over whichever row has the cursor.
          const argument = given === undefined ? await definition.ask() : given;
          const selected = given === undefined ? [] : decodeSelection(selection, definition);
          return definition.run(argument, {
            isInteractive: true,
            selected: selected.length === 0 ? [argument] : selected,
          });
        });
      }
      if (given === undefined) throw new TypeError(`${commandId(name)} expects ${definition.expects}.`);
      return definition.run(given, { isInteractive: false, selected: [given] });
    });

  return {
    present,
    run: async (name, value, selection) => {
      const handler = handlers.get(name);
      if (handler === undefined) throw new Error(`Nothing was registered for ${commandId(name)}.`);
      return handler(value, selection);
    },
    register,
    registerPlain: (name, run) =>
      register(name, {
        decode: () => null,
        expects: 'nothing or {}',
        ask: () => Promise.resolve(null),
        run: (_nothing, invocation) => run(invocation),
      }),
  };
}
