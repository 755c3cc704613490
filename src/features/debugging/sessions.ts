// Starts debug sessions, and lets everything else on the screen follow where they stop.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { askInDialog } from '../../editor/prompts/dialogs.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import { plainLine } from '../../base/format.ts';
import { debugType } from '../../editor/ids.ts';
import type { Debugging } from '../../editor/lazy/lazyDebugging.ts';
import { Cancelled } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { workflowName } from '../../words/names.ts';
import { decodeLaunch, findLaunchTarget, Launch } from './launchTarget.ts';
import { openRecording, type OpenRecordingDeps } from './openRecording.ts';
import { DebugSession, type Launched } from './session.ts';
import { ShownStops } from './shownStops.ts';
import type { StopAt } from './stops.ts';

export type DebugSessionsDeps = OpenRecordingDeps &
  Pick<App, 'clock' | 'commands' | 'connections' | 'selection' | 'services'>;

/** What a session is started with. `retried`: from where the execution, a retry, goes on. `firstStop`: names who waits for it, which another session with the same configuration doesn't. */
const Started = v.looseObject({
  ...Launch.entries,
  executionId: v.string(),
  connectionId: v.string(),
  retried: v.optional(v.object({ nodeId: v.string(), iteration: v.array(v.number()) })),
  firstStop: v.optional(v.number()),
});
type Started = v.InferOutput<typeof Started>;

interface Opened {
  readonly session: DebugSession;
  /** As the editor has it. */
  readonly debugged: vscode.DebugSession;
  readonly owned: DisposableStore;
}

export class DebugSessions implements Debugging, Disposable {
  readonly #deps: DebugSessionsDeps;
  readonly #owned = new DisposableStore();
  readonly #stops: ShownStops;
  /** The first stops that commands wait for, by their numbers. */
  readonly #firstStops = new Map<number, PromiseWithResolvers<undefined>>();
  #lastFirstStop = 0;

  constructor(deps: DebugSessionsDeps) {
    this.#deps = deps;
    this.#stops = new ShownStops(deps.selection);
  }

  /** Resolves when the session has stopped for the first time. Rejects with why there's nothing to stop at, or with an AbortError if the session is ended before. */
  async start(target: ExecutionTarget, stopAt: StopAt | undefined): Promise<void> {
    const { executions, workflows } = this.#deps;
    const stopped = Promise.withResolvers<undefined>();
    // A session may end before its stop is waited for.
    stopped.promise.catch(() => undefined);
    const firstStop = (this.#lastFirstStop += 1);
    this.#firstStops.set(firstStop, stopped);
    try {
      const workflowId = executions.find(target)?.workflowId ?? null;
      const isStarted = await vscode.debug.startDebugging(undefined, {
        type: debugType,
        request: 'launch',
        name: workflowName(workflows, target.connectionId, workflowId),
        suppressMultipleSessionWarning: true,
        firstStop,
        ...target,
        ...(typeof stopAt === 'object' ? stopAt : stopAt && { stopAt }),
      });
      if (!isStarted) stopped.reject(ended());
      await stopped.promise;
    } finally {
      this.#firstStops.delete(firstStop);
    }
  }

  /** Returns undefined when the person cancels, or was shown why it can't be started. */
  async resolve(
    configuration: vscode.DebugConfiguration,
    token?: vscode.CancellationToken,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const find = async (signal: AbortSignal) =>
      findLaunchTarget(this.#deps, decodeLaunch(configuration), signal);
    try {
      const target = await (token === undefined
        ? find(new AbortController().signal)
        : withSignal(token, find));
      const name = configuration.name || vscode.l10n.t('Debug Execution');
      return { ...configuration, type: debugType, request: 'launch', name, ...target };
    } catch (error) {
      void this.#deps.commands.present(error);
      return undefined;
    }
  }

  createAdapter(debugged: vscode.DebugSession): vscode.DebugAdapter {
    const owned = this.#owned.add(new DisposableStore());
    const messages = owned.add(new vscode.EventEmitter<vscode.DebugProtocolMessage>());
    let stopped: PromiseWithResolvers<undefined> | undefined;
    const report = (error: unknown): boolean => {
      stopped?.reject(error);
      return stopped !== undefined;
    };
    const session: DebugSession = owned.add(
      new DebugSession({
        open: async (given, signal) => {
          const launch = v.parse(Started, given);
          stopped = this.#firstStops.get(launch.firstStop ?? 0);
          try {
            return await this.#open(launch, { session, debugged, owned }, signal);
          } catch (error) {
            throw report(error) ? ended() : error;
          }
        },
        describe: (error) => this.#describe(error),
        report,
      }),
    );
    owned.add({ dispose: () => report(ended()) });
    owned.add(
      session.onDidStop(() => {
        stopped?.resolve(undefined);
        stopped = undefined;
      }),
    );
    owned.add(session.onDidSend((message) => messages.fire(message)));
    const ending = new vscode.Disposable(() => this.#owned.delete(owned));
    return Object.assign(ending, {
      onDidSendMessage: messages.event,
      handleMessage: (message: vscode.DebugProtocolMessage) => void session.handle(message),
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #describe(error: unknown): string {
    return describeError(error, this.#deps.clock.now()).message;
  }

  async #open(
    { executionId, connectionId, retried, stopAt = 'failure' }: Started,
    opened: Opened,
    signal: AbortSignal,
  ): Promise<Launched> {
    const target = { connectionId, executionId };
    const recording = opened.owned.add(await openRecording(this.#deps, target, signal));
    opened.owned.add(this.#follow(target, recording.workflowId, opened));
    return {
      recording,
      stopAt: retried === undefined ? stopAt : { retried },
      retrying: {
        isOffered: () => this.#canRetryFrom(target),
        retry: ({ run }) => this.#retry(target, run),
      },
    };
  }

  #canRetryFrom(target: ExecutionTarget): boolean {
    const { executions, services } = this.#deps;
    const { connectionId } = target;
    if (executions.find(target)?.status.isTerminal !== true) return false;
    return services.offers(connectionId, 'retry') && services.offers(connectionId, 'retryFromNode');
  }

  async #retry(target: ExecutionTarget, { nodeId, nodeName, iteration }: NodeRun): Promise<void> {
    const { commands } = this.#deps;
    const name = plainLine(nodeName, 80);
    const isAgreed = await askInDialog({
      question: vscode.l10n.t('Retry from "{0}"?', name),
      detail: vscode.l10n.t(
        'A new execution goes on from this node: it and all nodes after it run again. Debugging goes on there.',
      ),
      buttons: [{ label: vscode.l10n.t('Retry from Here'), value: true }],
    });
    if (isAgreed !== true) throw new Cancelled();
    const begun = await commands.run('execution.retry', { ...target, fromNodeId: nodeId });
    if (begun === undefined) throw new Cancelled();
    const { executionId } = begun;
    if (executionId === undefined) return;
    const retry = { connectionId: target.connectionId, executionId };
    this.start(retry, { retried: { nodeId, iteration } }).catch((error: unknown) => commands.present(error));
  }

  /** Shows the execution and the iterations around each stop, and around each frame that's selected; what was selected before once the session has ended. */
  #follow(target: ExecutionTarget, workflowId: string, { session, debugged }: Opened): Disposable {
    const owned = new DisposableStore();
    const workflow = { connectionId: target.connectionId, workflowId };
    const { show } = owned.add(this.#stops.begin(workflow, target));
    owned.add(session.onDidStop(show));
    owned.add(
      vscode.debug.onDidChangeActiveStackItem((frame) => {
        const isOfThis = frame instanceof vscode.DebugStackFrame && frame.session.id === debugged.id;
        const item = isOfThis ? session.findRun(frame.frameId) : undefined;
        if (item !== undefined) show(item);
      }),
    );
    return owned;
  }
}

const ended = (): DOMException => new DOMException('The debug session has ended.', 'AbortError');
