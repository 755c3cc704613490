// Registers commands that work from the tree, from the palette and from code.
import * as vscode from 'vscode';
import { isAbortError } from '../base/async.ts';
import { stringifyJson } from '../base/json.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { showMessage } from './prompts/prompts.ts';
import { type Caller, decodeArgument, describeArgument } from './commands/argument.ts';
import { declaredCommands, isCommandName } from './commands/declared/all.ts';
import type { ErrorAction, ErrorDescription } from './plainError.ts';
import { commandId, type CommandName } from './commands/names.ts';
import type {
  CodeArgument,
  CommandArgument,
  CommandResult,
  OfferedArgument,
  PlainCommandName,
} from './commands/types.ts';

/** Marks the argument that a row, a lens or a button passes, to distinguish it from a plain object passed by other code. */
export interface PersonsArgument {
  readonly invokedBy: 'person';
}

/** The argument for a command that is run by another one, for whoever invoked that. */
export function passOn<T extends object>(argument: T, isInteractive: boolean): T | (T & PersonsArgument) {
  return isInteractive ? { ...argument, invokedBy: 'person' } : argument;
}

/** True for the argument of a row, a lens or a button. The user chose it, so the command may ask questions. */
function isInvokedByPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'invokedBy' in value && value.invokedBy === 'person';
}

/** The test that a menu of the editor's view of tests is about: an item, or a message with its item. */
function testOfMenu(value: unknown): Pick<vscode.TestItem, 'id'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('test' in value && 'message' in value) return testOfMenu(value.test);
  const isItem = 'id' in value && 'children' in value && 'canResolveChildren' in value;
  return isItem && typeof value.id === 'string' ? { id: value.id } : undefined;
}

/** The folder of the provider of source control whose title shows the button. */
function folderOfMenu(value: unknown): { readonly folder: string } | undefined {
  if (typeof value !== 'object' || value === null || !('createResourceGroup' in value)) return undefined;
  return 'rootUri' in value && value.rootUri instanceof vscode.Uri
    ? { folder: value.rootUri.toString() }
    : undefined;
}

/** True for the argument of a menu: an element of a tree, a test, a provider of source control, or the URI of a document or file. */
function isFromMenu(value: unknown): boolean {
  return (
    value instanceof vscode.Uri ||
    isInvokedByPerson(value) ||
    testOfMenu(value) !== undefined ||
    folderOfMenu(value) !== undefined
  );
}

/** A selection may hold rows of several kinds, and a workflow's row isn't deleted for that of its execution. */
function kindOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && 'kind' in element ? element.kind : undefined;
}

/** Returns the command that a row, a lens or a quick fix offers to the user. */
export function offerCommand<N extends CommandName>(
  name: N,
  argument: OfferedArgument<N>,
  { title, tooltip }: { readonly title: string; readonly tooltip?: string },
): vscode.Command {
  return {
    command: commandId(name),
    title,
    ...(tooltip === undefined ? {} : { tooltip }),
    arguments: [{ ...argument, invokedBy: 'person' }],
  };
}

/** The target of a document's link that runs a command for the user. */
export function commandUri<N extends CommandName>(name: N, argument: OfferedArgument<N>): vscode.Uri {
  const { command, arguments: given } = offerCommand(name, argument, { title: '' });
  return vscode.Uri.parse(`command:${command}?${encodeURIComponent(stringifyJson(given))}`);
}

/** Says whether the user invoked the command and may be asked questions, or code did. */
interface Invocation<Argument = unknown> {
  readonly isInteractive: boolean;
  /** The selected rows of its kind when the command was chosen on one of them, that row included; otherwise just the argument. */
  readonly selected: readonly Argument[];
}

/** `Argument` is the type that asking the user returns, if it differs from the schema's. */
interface CommandDefinition<N extends CommandName, Argument> {
  /** Asks the user, if neither the menu's element nor the document in front is one that the command acts on. Rejects with Cancelled on Escape. */
  readonly ask: () => Promise<Argument>;
  readonly run: (
    argument: CommandArgument<N> | Argument,
    invocation: Invocation<CommandArgument<N> | Argument>,
  ) => Promise<CommandResult<N> | undefined>;
}

/**
 * Runs one command with the editor's arguments: the element it was chosen on, and all selected elements. None from the palette or
 * a key. A menu passes undefined as the element if its row was drawn anew meanwhile.
 */
type Handler<N extends CommandName> = (args: readonly unknown[]) => Promise<CommandResult<N> | undefined>;

export interface CommandsDeps {
  readonly logger: Logger;
  /** Returns the message and the buttons for an error. */
  readonly describe: (error: unknown) => ErrorDescription;
  /** Returns the error that code gets for one: itself, or with a message in words where it has none of its own. */
  readonly forCode?: (error: unknown) => unknown;
  /** The connection that a command is about when the caller names none. Throws when there is none. */
  readonly activeConnectionId: () => string;
  /** Says that the user waits for a command, until the result is disposed of. */
  readonly trackActivity?: () => Disposable;
  /** Returns what a document or a test is about, or without one the document in front, to be decoded as a row is. */
  readonly findSubject: (about: vscode.Uri | Pick<vscode.TestItem, 'id'> | undefined) => unknown;
  /** Resolves when all features are registered. Without it they are. */
  readonly registered?: Promise<unknown>;
}

export class Commands {
  readonly #deps: CommandsDeps;
  readonly #handlers: { [N in CommandName]?: Handler<N> | undefined } = {};

  constructor(deps: CommandsDeps) {
    this.#deps = deps;
  }

  /** Runs a command for the editor. The first argument is an element from a menu, or a plain object from code. */
  async handle(name: string, args: readonly unknown[]): Promise<unknown> {
    const handler = isCommandName(name) ? this.#handlers[name] : undefined;
    if (handler === undefined) throw new Error(`Nothing was registered for ${name}.`);
    return handler(args);
  }

  /**
   * Runs a command of another feature, which may still be loading; does nothing if there's no such feature.
   * With `invokedBy: 'person'` a failure is shown, otherwise it rejects.
   */
  async run<N extends CommandName>(
    name: N,
    argument: CodeArgument<N> | (OfferedArgument<N> & PersonsArgument),
  ): Promise<CommandResult<N> | undefined> {
    if (this.#handlers[name] === undefined) await this.#deps.registered;
    return this.#handlers[name]?.([argument]);
  }

  register<N extends CommandName, Argument = CommandArgument<N>>(
    name: N,
    definition: CommandDefinition<N, NoInfer<Argument>>,
  ): Disposable {
    const schema = declaredCommands[name].argument;
    const { activeConnectionId } = this.#deps;
    const decode = (value: unknown, caller: Caller): CommandArgument<N> | undefined =>
      decodeArgument(schema, value, { caller, activeConnectionId });
    const read = (element: unknown) => decode(element, 'person');
    const readElement = (element: unknown): CommandArgument<N> | undefined => {
      if (isInvokedByPerson(element)) return read(element);
      const folder = folderOfMenu(element);
      if (folder !== undefined) return read(folder);
      const about = element instanceof vscode.Uri ? element : testOfMenu(element);
      return about === undefined ? undefined : read(this.#deps.findSubject(about));
    };
    const runForPerson = async (args: readonly unknown[]) => {
      const [element, second] = args;
      // The view of source control passes each selected row as an argument of its own.
      const selection = Array.isArray(second) ? second : args;
      // The button in a view's title passes whichever row is focused. A row that's gone doesn't mean the document in front.
      const given = args.length === 0 ? read(this.#deps.findSubject(undefined)) : readElement(element);
      const argument = given ?? (await definition.ask());
      const others =
        given === undefined
          ? []
          : selection.filter((each: unknown) => isFromMenu(each) && kindOf(each) === kindOf(element));
      const selected = others.map(readElement).filter((each) => each !== undefined);
      return definition.run(argument, {
        isInteractive: true,
        selected: selected.length === 0 ? [argument] : selected,
      });
    };
    return this.#add(name, async (args) => {
      const [value] = args;
      if (value === undefined || value === null || isFromMenu(value))
        return this.#interactively(() => runForPerson(args));
      const given = decode(value, 'code');
      if (given === undefined) throw new TypeError(`${commandId(name)} expects ${describeArgument(schema)}.`);
      try {
        return await definition.run(given, { isInteractive: false, selected: [given] });
      } catch (error) {
        throw this.#deps.forCode?.(error) ?? error;
      }
    });
  }

  /** For commands without an argument; code may pass {}. */
  registerPlain<N extends PlainCommandName>(
    name: N,
    run: (invocation: Pick<Invocation, 'isInteractive'>) => Promise<CommandResult<N> | undefined>,
  ): Disposable {
    return this.register<N, null>(name, {
      ask: () => Promise.resolve(null),
      run: (_nothing, invocation) => run(invocation),
    });
  }

  /** Shows an error once, with its buttons; silent for a cancellation. */
  async present(error: unknown): Promise<void> {
    if (isAbortError(error)) return;
    const { logger, describe } = this.#deps;
    const { message, actions, kind = 'error' } = describe(error);
    if (kind === 'error') logger.error(message, error);
    else logger.warn(message);
    const picked = await showMessage(
      kind,
      message,
      actions.map((action) => ({ title: action.label, action })),
    );
    if (picked) await apply(picked.action);
  }

  #add<N extends CommandName>(name: N, handler: Handler<N>): Disposable {
    const handlers: { [Name in N]?: Handler<Name> | undefined } = this.#handlers;
    handlers[name] = handler;
    return toDisposable(() => {
      handlers[name] = undefined;
    });
  }

  async #interactively<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const activity = this.#deps.trackActivity?.();
    try {
      return await work();
    } catch (error) {
      void this.present(error);
      return undefined;
    } finally {
      activity?.dispose();
    }
  }
}

/** Runs the command as a menu does: the user clicked the button, so they're asked questions and shown errors. */
async function apply(action: ErrorAction): Promise<void> {
  if ('setting' in action)
    await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${action.setting}`);
  else if (action.argument === undefined) await vscode.commands.executeCommand(commandId(action.command));
  else
    await vscode.commands.executeCommand(commandId(action.command), {
      ...action.argument,
      invokedBy: 'person',
    });
}
