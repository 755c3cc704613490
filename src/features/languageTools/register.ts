// The tools for language models, on the active connection.
import * as vscode from 'vscode';
import { BoundedMap } from '../../base/boundedMap.ts';
import type { Disposable } from '../../base/disposable.ts';
import { stringifyJson } from '../../base/json.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import { prefix } from '../../editor/ids.ts';
import type { ToolProvider } from '../../editor/lazy/lazyTools.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import { settings } from '../../editor/settings.ts';
import { languageTools, type ToolName } from '../../languageTools/languageTools.ts';
import type { ToolPorts } from '../../languageTools/toolPorts.ts';
import { parseFieldPatterns } from '../../model/comparison/fieldPatterns.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import type { App } from '../../ui/app.ts';
import { describeError, toUserError } from '../../ui/words/describeError.ts';
import { confirmations } from './confirmations.ts';

export type LanguageToolsDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'connections'
  | 'evaluator'
  | 'executions'
  | 'following'
  | 'languageTools'
  | 'searches'
  | 'services'
  | 'workflows'
>;

/** How many calls may be asked about before they are made. */
const maximumPrepared = 100;

export function registerLanguageTools(deps: LanguageToolsDeps): Disposable {
  return deps.languageTools.attach(new ConfirmedTools(deps));
}

class ConfirmedTools implements ToolProvider {
  readonly #deps: LanguageToolsDeps;
  readonly #ports: ToolPorts;
  /** The connection that a person saw, by what they confirmed. */
  readonly #confirmed = new BoundedMap<string, string>(maximumPrepared);

  constructor(deps: LanguageToolsDeps) {
    const { actions, clock, connections, evaluator, executions, following, searches, services, workflows } =
      deps;
    this.#deps = deps;
    this.#ports = {
      actions,
      clock,
      connections,
      executions,
      following,
      searches,
      services,
      workflows,
      checker: evaluator,
      ignoredFields: () => parseFieldPatterns(settings.ignoredFields()).patterns,
      hide: hideKeys,
      describe: (error) => describeError(error, clock.now()).message,
    };
  }

  async prepare(
    id: string,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation | undefined> {
    const confirm = confirmations[nameOfTool(id)];
    if (confirm === undefined) return undefined;
    const connection = requireActiveConnection(this.#deps.connections);
    this.#confirmed.set(nameOfCall(id, input), connection.id);
    try {
      const confirmationMessages = await withSignal(token, (signal) =>
        confirm(this.#deps, connection.id, input, signal),
      );
      return confirmationMessages && { confirmationMessages };
    } catch (error) {
      throw toUserError(error);
    }
  }

  async invoke(
    id: string,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { id: connectionId } = requireActiveConnection(this.#deps.connections);
    const confirmed = this.#confirmed.get(nameOfCall(id, input)) ?? connectionId;
    if (confirmed !== connectionId) return toResult(otherConnection);
    const { text } = await withSignal(token, (signal) =>
      languageTools[nameOfTool(id)].invoke(input, {
        ports: this.#ports,
        connectionId,
        signal,
        onProgress: () => undefined,
      }),
    );
    return toResult(text);
  }
}

/** For the language model. */
const otherConnection =
  'Nothing was done: another connection is active than the one that the user confirmed. Call the tool again.';

const toResult = (text: string) =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

function nameOfTool(id: string): ToolName {
  const name = id.slice(prefix.length + 1);
  const isTool = (each: string): each is ToolName => Object.hasOwn(languageTools, each);
  if (isTool(name)) return name;
  throw new Error(`There is no tool ${id}.`);
}

const nameOfCall = (id: string, input: object): string => stringifyJson([id, input]);
