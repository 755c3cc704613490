// One way to register a command that works from the tree, from the palette and from code.
import * as vscode from 'vscode';
import { isAbortError } from '../base/cancellation.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { decodeArgument, describeArgument } from './commandArguments.ts';
import {
  type CodeArgument,
  type CommandArgument,
  type CommandResult,
  type CommandSchemas,
  createCommandSchemas,
  type OfferedArgument,
  type PlainCommandName,
} from './commandTypes.ts';
import { showMessage } from './messages.ts';
import { commandId, type CommandName } from './ids.ts';
import type { ErrorAction, ErrorDescription } from './plainError.ts';

/** Marks what a row, a lens or a button hands to a command, to tell it from a plain object of other people's code. */
export interface PersonsArgument {
  readonly invokedBy: 'person';
}

/** True for what a row, a lens or a button hands over: a person chose it, so the command may ask back. */
function isInvokedByPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'invokedBy' in value && value.invokedBy === 'person';
}

/** True for what menus hand over: an element of a tree, or the address of the document in an editor's title. */
function isFromMenu(value: unknown): boolean {
  return value instanceof vscode.Uri || isInvokedByPerson(value);
}

/** The command that a row, a lens or a quick fix offers to a person. */
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

/** How a command was invoked: by a person, who may be asked back, or by code, which may not. */
interface Invocation<Argument = unknown> {
  readonly isInteractive: boolean;
  /** All the rows that were selected when the command was chosen on one of them, that one included; else the argument alone. */
  readonly selected: readonly Argument[];
}

/** Argument: what asking a person gives, where that isn't what the schema gives. */
interface CommandDefinition<N extends CommandName, Argument> {
  /** Asks a person in the palette, and where a menu hands over what the command doesn't act on; rejects with Cancelled on Escape. */
  readonly ask: () => Promise<Argument>;
  /** Reads the address of the document in whose title the command stands; undefined to ask. */
  readonly fromDocument?: (uri: vscode.Uri) => Argument | undefined;
  readonly run: (
    argument: CommandArgument<N> | Argument,
    invocation: Invocation<CommandArgument<N> | Argument>,
  ) => Promise<CommandResult<N> | undefined>;
}

/** Runs one command with what the editor handed over: the element it was chosen on, and all selected ones. */
type Handler<N extends CommandName> = (
  value: unknown,
  selection: unknown,
) => Promise<CommandResult<N> | undefined>;

export interface CommandsDeps {
  readonly logger: Logger;
  /** The words for an error. */
  readonly describe: (error: unknown) => ErrorDescription;
  /** What a command is about where the caller names no connection. Throws where there is none. */
  readonly activeConnectionId: () => string;
}

export class Commands {
  readonly #deps: CommandsDeps;
  readonly #schemas: CommandSchemas;
  readonly #handlers: { [N in CommandName]?: Handler<N> | undefined } = {};

  constructor(deps: CommandsDeps) {
    this.#deps = deps;
    this.#schemas = createCommandSchemas(deps.activeConnectionId);
  }

  /** Runs a command for the editor: with nothing from the palette, an element from a menu, a plain object from code. */
  async handle(name: CommandName, value: unknown, selection: unknown): Promise<unknown> {
    const handler = this.#handlers[name];
    if (handler === undefined) throw new Error(`Nothing was registered for ${commandId(name)}.`);
    return handler(value, selection);
  }

  /**
   * Runs a command of whichever feature registered it; does nothing where none did.
   * With `invokedBy: 'person'` a failure is shown, else it rejects.
   */
  async run<N extends CommandName>(
    name: N,
    argument: CodeArgument<N> | (OfferedArgument<N> & PersonsArgument),
  ): Promise<CommandResult<N> | undefined> {
    return this.#handlers[name]?.(argument, undefined);
  }

  register<N extends CommandName, Argument = CommandArgument<N>>(
    name: N,
    definition: CommandDefinition<N, NoInfer<Argument>>,
  ): Disposable {
    const schema = this.#schemas[name];
    const readElement = (element: unknown): CommandArgument<N> | Argument | undefined =>
      element instanceof vscode.Uri
        ? definition.fromDocument?.(element)
        : decodeArgument(schema, element, 'person');
    const runForPerson = async (element: unknown, selection: unknown) => {
      // The title of a view hands over whichever row has the cursor.
      const given = isFromMenu(element) ? readElement(element) : undefined;
      const argument = given ?? (await definition.ask());
      const others = given !== undefined && Array.isArray(selection) ? selection.filter(isFromMenu) : [];
      const selected = others.map(readElement).filter((each) => each !== undefined);
      return definition.run(argument, {
        isInteractive: true,
        selected: selected.length === 0 ? [argument] : selected,
      });
    };
    return this.#add(name, async (value, selection) => {
      if (value === undefined || value === null || isFromMenu(value))
        return this.#interactively(() => runForPerson(value, selection));
      const given = decodeArgument(schema, value, 'code');
      if (given === undefined) throw new TypeError(`${commandId(name)} expects ${describeArgument(schema)}.`);
      return definition.run(given, { isInteractive: false, selected: [given] });
    });
  }

  /** For commands without an argument; code may hand over {}. */
  registerPlain<N extends PlainCommandName>(
    name: N,
    run: (invocation: Pick<Invocation, 'isInteractive'>) => Promise<CommandResult<N> | undefined>,
  ): Disposable {
    return this.register<N, null>(name, {
      ask: () => Promise.resolve(null),
      run: (_nothing, invocation) => run(invocation),
    });
  }

  /** Shows an error once, with the buttons that help; silent when it was a cancellation. */
  async present(error: unknown): Promise<void> {
    if (isAbortError(error)) return;
    const { logger, describe } = this.#deps;
    const { message, actions } = describe(error);
    logger.error(message, error);
    const picked = await showMessage(
      'error',
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
    try {
      return await work();
    } catch (error) {
      void this.present(error);
      return undefined;
    }
  }
}

/** As chosen in a menu: a person pressed the button, and is asked or shown an error like one. */
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
