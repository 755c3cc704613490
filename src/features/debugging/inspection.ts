// What is to be seen where a session has stopped: the call stack, its variables, and what expressions give there.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { type JsonValue, stringifyJson } from '../../base/json.ts';
import { plainText } from '../../base/format.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import { type Frame, framesOf, nameFrame, variablesOfRun, variablesOfScope } from './frames.ts';
import type { Complete, Evaluate, ReadVariables, StackRange } from './protocol.ts';
import type { Recording } from './recording.ts';
import { renderResult, variableOf, Variables } from './variables.ts';
import type { Offer } from '../../ui/expressions/offer.ts';

export class Inspection {
  readonly #recording: Recording;
  readonly #lineBase: number;
  readonly #variables = new Variables();
  readonly #canRestart: () => boolean;
  #frames: readonly Frame[] = [];

  /** `lineBase`: the number of the first line, for the editor. `canRestart`: whether the frames of nodes can be. */
  constructor(recording: Recording, lineBase: number, canRestart: () => boolean) {
    this.#recording = recording;
    this.#lineBase = lineBase;
    this.#canRestart = canRestart;
  }

  /** Shows where the session has stopped. Numbers that were given before name nothing any more. */
  show(item: RunItem): void {
    this.#variables.clear();
    this.#frames = framesOf(item, this.#recording.name);
  }

  /** Rejects with the signal's reason. */
  async stackTrace(
    { startFrame, levels }: StackRange,
    signal: AbortSignal,
  ): Promise<DebugProtocol.StackTraceResponse['body']> {
    let shown: readonly Frame[];
    let names: readonly string[];
    do {
      shown = this.#frames;
      names = await Promise.all(shown.map((frame) => nameFrame(frame, this.#recording, signal)));
      // The session may have stopped elsewhere meanwhile.
    } while (shown !== this.#frames);
    const { warning } = this.#recording.source;
    const frames = shown.map(({ nodeId }, index) => this.#render(names[index] ?? '', nodeId, index + 1));
    const labeled = warning === undefined ? frames : [labelFrame(warning), ...frames];
    const end = levels === 0 ? labeled.length : startFrame + levels;
    return { stackFrames: labeled.slice(startFrame, end), totalFrames: labeled.length };
  }

  scopes(frameId: number): DebugProtocol.ScopesResponse['body'] {
    const { of, nodeId } = this.#frameOf(frameId);
    const recording = this.#recording;
    const ofRun = {
      name: vscode.l10n.t('Node run'),
      variablesReference: this.#variables.hold({
        kind: 'read',
        read: () => Promise.resolve(variablesOfRun(of, recording)),
      }),
      expensive: false,
    };
    const ofScope = {
      name: vscode.l10n.t('Scope'),
      variablesReference: this.#variables.hold({
        kind: 'read',
        read: async (signal) =>
          variablesOfScope(await recording.scopeOf(of, signal), (expression, whileRead) =>
            this.#valueOf(expression, of, whileRead),
          ),
      }),
      expensive: false,
    };
    return { scopes: nodeId === undefined ? [ofScope] : [ofRun, ofScope] };
  }

  async variables(
    asked: ReadVariables,
    signal: AbortSignal,
  ): Promise<DebugProtocol.VariablesResponse['body']> {
    return { variables: [...(await this.#variables.read(asked, signal))] };
  }

  /** Rejects with an error in words when it gives nothing. */
  async evaluate(
    { expression, frameId = 1, context }: Evaluate,
    signal: AbortSignal,
  ): Promise<DebugProtocol.EvaluateResponse['body']> {
    const { of } = this.#frameOf(frameId);
    const value = await this.#valueOf(expression, of, signal);
    const { variablesReference, indexedVariables } = this.#variables.render(
      variableOf('', value, `(${expression})`),
    );
    return {
      result: context === 'clipboard' ? stringifyJson(value, 2) : renderResult(value),
      variablesReference,
      ...(indexedVariables === undefined ? {} : { indexedVariables }),
    };
  }

  async complete(asked: Complete, signal: AbortSignal): Promise<DebugProtocol.CompletionsResponse['body']> {
    const { of } = this.#frameOf(asked.frameId ?? 1);
    const cursor = cursorIn(asked);
    const offers = await this.#recording.complete(asked.text, cursor, of, signal);
    return { targets: offers.map((offer, index) => toCompletion(offer, cursor, index)) };
  }

  /** The node run of a frame; undefined for that of the workflow, and for one that isn't shown any more. */
  findRun(frameId: number): RunItem | undefined {
    const frame = this.#frames[frameId - 1];
    return frame?.nodeId === undefined ? undefined : frame.of;
  }

  exceptionInfo(): DebugProtocol.ExceptionInfoResponse['body'] {
    const { error } = this.#frameOf(1).of.run;
    if (error === null) throw goneOn();
    return {
      exceptionId: plainText(error.code ?? vscode.l10n.t('Failed')),
      description: plainText(error.message),
      breakMode: 'always',
    };
  }

  async #valueOf(expression: string, of: RunItem, signal: AbortSignal): Promise<JsonValue> {
    const evaluated = await this.#recording.evaluate(expression, of, signal);
    if (evaluated.kind === 'failed') throw new Error(evaluated.message);
    return evaluated.value;
  }

  #frameOf(frameId: number): Frame {
    const frame = this.#frames[frameId - 1];
    if (frame === undefined) throw goneOn();
    return frame;
  }

  #render(name: string, nodeId: string | undefined, id: number): DebugProtocol.StackFrame {
    const { source } = this.#recording;
    const line = nodeId === undefined ? 0 : source.lineOf(nodeId);
    const canRestart = nodeId !== undefined && this.#canRestart();
    // A node that isn't in the text has no place.
    if (line === undefined) return { id, name, line: 0, column: 0, presentationHint: 'subtle', canRestart };
    return {
      id,
      name,
      canRestart,
      line: line + this.#lineBase,
      column: this.#lineBase,
      source: { name: source.name, path: source.uri },
    };
  }
}

/** The editor asked about a stop that's over; it forgets the question too. */
function goneOn(): DOMException {
  return new DOMException('The session has gone on meanwhile.', 'AbortError');
}

/** What stands above the frames. */
function labelFrame(name: string): DebugProtocol.StackFrame {
  return { id: 0, name, line: 0, column: 0, presentationHint: 'label', canRestart: false };
}

/** Returns the index of the cursor in the text. */
export function cursorIn({ text, line, column }: Complete): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((length, each) => length + each.length + 1, column - 1);
}

const completionTypes: Readonly<Record<Offer['kind'], DebugProtocol.CompletionItemType>> = {
  node: 'reference',
  branch: 'enum',
  name: 'field',
  variable: 'variable',
  function: 'function',
  operator: 'keyword',
  snippet: 'snippet',
};

/** `cursor`: an index in the text. The offers come in the order of their indexes. */
function toCompletion(
  { kind, label, description, detail, before, span, rank }: Offer,
  cursor: number,
  index: number,
): DebugProtocol.CompletionItem {
  return {
    label,
    text: before,
    type: completionTypes[kind],
    detail: detail || description,
    sortText: `${rank}${String(index).padStart(5, '0')}`,
    start: span.start,
    length: cursor - span.start,
  };
}
