// Steps through a recorded execution by the debug adapter protocol. It only reads: nothing is executed.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { plainText } from '../../base/format.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import { describeGoneRuns } from '../../words/executionWords.ts';
import { Breakpoints, exceptionFilters } from './breakpoints.ts';
import { Inspection } from './inspection.ts';
import { Progress } from './progress.ts';
import * as protocol from './protocol.ts';
import type { Recording } from './recording.ts';
import { Search } from './search.ts';
import { type Handled, type Handler, on, ProtocolServer } from './server.ts';
import type { StopAt } from './stops.ts';
import { Walk } from './walk.ts';

const threadId = 1;

/** Goes on from a node run in a new execution. */
export interface Retrying {
  /** Whether it can be done now. */
  readonly isOffered: () => boolean;
  /** Asks once, and begins a session of the new execution. Rejects with an error in words, or with an AbortError when the person cancels. */
  readonly retry: (run: RunItem) => Promise<void>;
}

/** What a launch configuration names. */
export interface Launched {
  readonly recording: Recording;
  readonly stopAt: StopAt;
  readonly retrying: Retrying;
}

export interface SessionDeps {
  /** Reads what an execution recorded. Rejects with an error in words. */
  readonly open: (launch: unknown, signal: AbortSignal) => Promise<Launched>;
  /** Puts an error into words. */
  readonly describe: (error: unknown) => string;
  /** Shows why the session ends. Returns false if the editor is to show it. */
  readonly report: (error: unknown) => boolean;
}

interface Opened extends Launched {
  readonly breakpoints: Breakpoints;
  readonly inspection: Inspection;
  readonly walk: Walk;
}

export class DebugSession implements Disposable {
  readonly #deps: SessionDeps;
  readonly #owned = new DisposableStore();
  readonly #server: ProtocolServer;
  readonly #stops = this.#owned.add(new Emitter<RunItem>());
  readonly #progress: Progress;
  #lineBase = 1;
  #showsProgress = false;
  #opened: Opened | undefined;
  /** How many runs it was said to lack. */
  #goneRuns = 0;

  /** Fires with each message for the editor. */
  readonly onDidSend: Event<DebugProtocol.ProtocolMessage>;
  /** Fires with the run where the session stops. */
  readonly onDidStop: Event<RunItem> = this.#stops.event;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const handlers = { ...this.#settingUp(), ...this.#walking(), ...this.#inspecting() };
    this.#server = this.#owned.add(new ProtocolServer(handlers, deps.describe));
    this.#progress = new Progress((event, body) => this.#server.send(event, body));
    this.onDidSend = this.#server.onDidSend;
  }

  /** The node run of a frame of the last stop; undefined for the workflow's frame, and for frames of earlier stops. */
  findRun(frameId: number): RunItem | undefined {
    return this.#opened?.inspection.findRun(frameId);
  }

  /** Answers a message of the editor. Never rejects. */
  handle(message: unknown): Promise<void> {
    return this.#server.handle(message);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #settingUp(): Readonly<Record<string, Handler>> {
    return {
      initialize: on(protocol.Initialize, ({ linesStartAt1, supportsProgressReporting }) => {
        this.#lineBase = linesStartAt1 ? 1 : 0;
        this.#showsProgress = supportsProgressReporting;
        return { body: capabilities() };
      }),
      launch: (given, signal) => this.#launch(given, signal),
      setBreakpoints: on(protocol.SetBreakpoints, (given) => this.#setBreakpoints(given)),
      setFunctionBreakpoints: on(protocol.SetFunctionBreakpoints, ({ breakpoints }) => ({
        body: { breakpoints: this.#need().breakpoints.setFunctions(breakpoints) },
      })),
      setExceptionBreakpoints: on(protocol.SetExceptionBreakpoints, ({ filters }) => {
        this.#need().breakpoints.setFilters(filters);
        return {};
      }),
      configurationDone: () => {
        const { walk, stopAt } = this.#need();
        return { afterwards: () => void walk.begin(stopAt) };
      },
      cancel: on(protocol.Cancel, ({ requestId, progressId }) => {
        if (requestId !== undefined) this.#server.cancel(requestId);
        if (progressId !== undefined && this.#progress.isShown(progressId)) this.#need().walk.stopWaiting();
        return {};
      }),
      disconnect: () => ({}),
    };
  }

  #walking(): Readonly<Record<string, Handler>> {
    const walk = (go: (walk: Walk) => unknown, body?: object): Handler => {
      return () => {
        const { walk: opened } = this.#need();
        return { ...(body && { body }), afterwards: () => void go(opened) };
      };
    };
    return {
      next: walk((each) => each.step('over')),
      stepIn: walk((each) => each.step('into')),
      stepOut: walk((each) => each.step('out')),
      stepBack: walk((each) => each.stepBack()),
      continue: walk((each) => each.goOn(), { allThreadsContinued: true }),
      reverseContinue: walk((each) => each.goBack()),
      pause: walk((each) => each.pause()),
      restartFrame: on(protocol.OfFrame, ({ frameId }) => this.#restart(frameId)),
    };
  }

  #inspecting(): Readonly<Record<string, Handler>> {
    return {
      threads: () => ({ body: { threads: [{ id: threadId, name: this.#need().recording.name }] } }),
      stackTrace: on(protocol.StackRange, async (range, signal) => ({
        body: await this.#need().inspection.stackTrace(range, signal),
      })),
      scopes: on(protocol.OfFrame, ({ frameId }) => ({ body: this.#need().inspection.scopes(frameId) })),
      variables: on(protocol.ReadVariables, async (asked, signal) => ({
        body: await this.#need().inspection.variables(asked, signal),
      })),
      evaluate: on(protocol.Evaluate, async (asked, signal) => ({
        body: await this.#need().inspection.evaluate(asked, signal),
      })),
      completions: on(protocol.Complete, async (asked, signal) => ({
        body: await this.#need().inspection.complete(asked, signal),
      })),
      exceptionInfo: () => ({ body: this.#need().inspection.exceptionInfo() }),
    };
  }

  async #launch(launch: unknown, signal: AbortSignal): Promise<Handled> {
    const { recording, stopAt, retrying } = await this.#deps.open(launch, signal);
    const breakpoints = new Breakpoints(recording.source);
    const search = new Search(recording, breakpoints, (message, item) => this.#print(message, item));
    const inspection = new Inspection(recording, this.#lineBase, retrying.isOffered);
    const walk = this.#owned.add(
      new Walk({
        recording,
        search,
        onStop: (item, stopped) => {
          this.#sayGone(recording);
          inspection.show(item);
          this.#stops.fire(item);
          this.#server.send('stopped', { ...stopped, threadId, allThreadsStopped: true });
        },
        onEnd: (error) => {
          this.#sayGone(recording);
          this.#end(error);
        },
        onProgress: (waiting) => {
          if (waiting === null) this.#progress.end();
          else if (this.#showsProgress) this.#progress.show(waiting);
        },
      }),
    );
    this.#opened = { recording, stopAt, retrying, breakpoints, inspection, walk };
    return { afterwards: () => this.#server.send('initialized') };
  }

  /** The editor takes a frame that is restarted for running, so the session stops again if it isn't. */
  async #restart(frameId: number): Promise<Handled> {
    const { inspection, retrying, walk } = this.#need();
    const run = inspection.findRun(frameId);
    if (run === undefined) throw new Error('Only the frame of a node can be restarted.');
    try {
      await retrying.retry(run);
    } catch (error) {
      if (!isAbortError(error)) throw error;
      return { afterwards: () => walk.stay() };
    }
    return { afterwards: () => this.#end() };
  }

  #setBreakpoints({ source: { path }, breakpoints }: protocol.SetBreakpoints): Handled {
    const { recording, breakpoints: held } = this.#need();
    if (path !== recording.source.uri)
      return { body: { breakpoints: breakpoints.map(({ line }) => ({ verified: false, line })) } };
    const set = held.setLines(breakpoints.map((each) => ({ ...each, line: each.line - this.#lineBase })));
    const numbered = set.map(({ line, ...others }) =>
      line === undefined ? others : { ...others, line: line + this.#lineBase },
    );
    return { body: { breakpoints: numbered } };
  }

  #end(error?: unknown): void {
    if (error !== undefined && !this.#deps.report(error))
      this.#write('important', this.#deps.describe(error));
    this.#server.send('terminated');
  }

  /** Says once, and again when more are gone, that there are runs that it can't stop at. */
  #sayGone({ goneRuns }: Recording): void {
    if (goneRuns > this.#goneRuns) this.#write('important', describeGoneRuns(goneRuns));
    this.#goneRuns = goneRuns;
  }

  /** Writes a line to the Debug Console. */
  #write(category: 'stdout' | 'important', line: string, place: object = {}): void {
    this.#server.send('output', { category, output: `${line}\n`, ...place });
  }

  #print(message: string, { run }: RunItem): void {
    const { source } = this.#need().recording;
    const line = source.lineOf(run.nodeId);
    const text = message.split('\n').map(plainText).join('\n');
    const place =
      line === undefined
        ? {}
        : { source: { name: source.name, path: source.uri }, line: line + this.#lineBase };
    this.#write('stdout', text, place);
  }

  #need(): Opened {
    if (this.#opened === undefined) throw new Error('The session was not launched.');
    return this.#opened;
  }
}

function capabilities(): DebugProtocol.Capabilities {
  return {
    supportsConfigurationDoneRequest: true,
    supportsFunctionBreakpoints: true,
    supportsConditionalBreakpoints: true,
    supportsHitConditionalBreakpoints: true,
    supportsLogPoints: true,
    supportsStepBack: true,
    supportsRestartFrame: true,
    supportsExceptionInfoRequest: true,
    supportsEvaluateForHovers: true,
    supportsCompletionsRequest: true,
    completionTriggerCharacters: ['.', '$', '`'],
    supportsClipboardContext: true,
    supportsCancelRequest: true,
    exceptionBreakpointFilters: [
      { filter: exceptionFilters[0], label: vscode.l10n.t('Failed nodes'), default: true },
      { filter: exceptionFilters[1], label: vscode.l10n.t('Failed attempts'), default: false },
    ],
  };
}
