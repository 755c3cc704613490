// The problems of definitions in the editor's list: what our own check finds, and what a service refused.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { readPath } from '../../../definition/places.ts';
import { DocumentMarks, type Mark } from '../../../editor/documents/documentMarks.ts';
import { plainLine } from '../../../base/format.ts';
import { definitionSelector } from '../../../editor/ids.ts';
import type { DefinitionTexts } from '../../../ui/definitionTexts.ts';
import { findTextProblem, type Problem } from '../../../definition/definitionProblem.ts';
import { findMendings } from './mendings.ts';
import { moveProblems, withoutThoseAt } from './problem.ts';

interface Held {
  /** undefined while the text isn't JSON: then nothing else is said. */
  readonly checked: readonly Problem[] | undefined;
  /** What the service says of parts of it that it refuses to no one. */
  readonly advised: readonly Problem[];
  /** Each stays until its text is edited, or the operation succeeds. */
  readonly refused: Refused;
}

/** What the service refuses of a definition. */
type Operation = 'save' | 'deploy';
type Refused = Readonly<Record<Operation, readonly Problem[]>>;
const noRefused: Refused = { save: [], deploy: [] };

function mapRefused(
  { save, deploy }: Refused,
  map: (problems: readonly Problem[]) => readonly Problem[],
): Refused {
  return { save: map(save), deploy: map(deploy) };
}

/** What a service says is wrong. */
export interface RefusedPart {
  readonly path: string;
  readonly message: string;
}

export class DefinitionProblems implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #marks = this.#owned.add(
    new DocumentMarks({
      name: 'definition',
      selector: definitionSelector,
      find: (document) => this.#findMarks(document),
    }),
  );
  readonly #texts: DefinitionTexts;
  readonly #held = new Map<vscode.TextDocument, Held>();

  constructor(texts: DefinitionTexts) {
    this.#texts = texts;
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const held = this.#held.get(document);
        if (held === undefined || contentChanges.length === 0) return;
        const { advised, checked, refused } = held;
        this.#hold(document, {
          advised: moveProblems(advised, contentChanges),
          checked: checked && moveProblems(checked, contentChanges),
          refused: mapRefused(refused, (problems) => moveProblems(problems, contentChanges)),
        });
      }),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.#held.delete(document)));
  }

  /** Replaces what our own check found; undefined if the text isn't JSON. */
  showChecked(document: vscode.TextDocument, checked: readonly Problem[] | undefined): void {
    const { advised, refused } = this.#find(document);
    const rest = mapRefused(refused, (problems) => withoutThoseAt(problems, errorsOf(checked)));
    this.#hold(document, { advised, checked, refused: rest });
  }

  /** Replaces what the service says of parts of the document, as warnings. */
  showAdvised(document: vscode.TextDocument, advised: readonly Problem[]): void {
    this.#hold(document, { ...this.#find(document), advised });
  }

  /** Replaces what the service refused of an operation; nothing if it succeeded. */
  showRefused(document: vscode.TextDocument, operation: Operation, parts: readonly RefusedPart[]): void {
    const { advised, checked, refused } = this.#find(document);
    const placed = parts.map(({ path, message }): Problem => {
      const text = this.#texts.of(document);
      // What is said of the whole stands at its name, where the document has nothing that it's about.
      const isOfWhole = path === '' && text.format !== 'service';
      const range = text.locate(isOfWhole ? ['name'] : readPath(path));
      return { ...range, isError: true, message: path === '' ? message : `${path}: ${message}` };
    });
    const rest = withoutThoseAt(placed, errorsOf(checked));
    this.#hold(document, { advised, checked, refused: { ...refused, [operation]: rest } });
  }

  /** What is wrong with a document: first what was refused, then the errors. */
  list(document: vscode.TextDocument): readonly Problem[] {
    const held = this.#find(document);
    if (held.checked !== undefined) return merge(held.checked, held);
    const problem = findTextProblem(this.#texts.of(document));
    return problem === undefined ? [] : [{ ...problem, isError: true }];
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #find(document: vscode.TextDocument): Held {
    return this.#held.get(document) ?? { advised: [], checked: [], refused: noRefused };
  }

  #hold(document: vscode.TextDocument, held: Held): void {
    if (document.isClosed) return;
    this.#held.set(document, held);
    this.#marks.look(document);
  }

  #findMarks(document: vscode.TextDocument): readonly Mark[] {
    const held = this.#find(document);
    const text = this.#texts.of(document);
    const shown = held.checked === undefined ? [] : merge(held.checked, held);
    return shown.map(({ offset, length, message, isError, fault }) => ({
      offset,
      length,
      message: plainLine(message),
      severity: isError ? 'Error' : 'Warning',
      fixes: () => (fault === undefined ? [] : findMendings(text, fault)),
    }));
  }
}

const errorsOf = (problems: readonly Problem[] = []) => problems.filter(({ isError }) => isError);

/** Where the service refuses what our check only warns of, the service is right. */
function merge(
  checked: readonly Problem[],
  { advised, refused: { deploy, save } }: Pick<Held, 'advised' | 'refused'>,
): readonly Problem[] {
  const refused = [...deploy, ...withoutThoseAt(save, deploy)];
  const rest = withoutThoseAt(checked, refused);
  const others = withoutThoseAt(advised, [...refused, ...rest]);
  return [...refused, ...errorsOf(rest), ...rest.filter(({ isError }) => !isError), ...others];
}
