// Several questions in a row, in one flow with a title, step numbers and Back.
import * as vscode from 'vscode';
import { withoutIconsAndLinks } from '../../base/format.ts';
import { type Choice, drawn, problemIn, type StepQuestion, untilAnswered } from './prompts.ts';

/** What comes after a step. A step: that one is done again, and then the one that said so. */
export type Move = 'next' | 'back' | PromptStep;

interface Place {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
}

export interface PromptStep {
  /** True if it's counted, and Back leads to it. */
  readonly isQuestion: boolean;
  /** True where earlier answers make it pointless: it's neither counted nor run. */
  readonly isSkipped?: () => boolean;
  /** Rejects with Cancelled on Escape. */
  readonly run: (place: Place) => Promise<Move>;
}

/** Runs the steps in order, and back and forth as the user goes. Rejects with Cancelled on Escape. */
export async function runSteps(title: string, steps: readonly PromptStep[]): Promise<void> {
  let returnTo: PromptStep | undefined;
  for (let step = steps[0]; step !== undefined;) {
    const current = step;
    const before = takenOf(steps.slice(0, steps.indexOf(current)));
    const earlier = before.findLast(({ isQuestion }) => isQuestion);
    const move = await current.run({
      title,
      step: countQuestions([...before, current]),
      totalSteps: countQuestions(takenOf(steps)),
      canGoBack: earlier !== undefined,
    });
    if (move === 'next') step = returnTo ?? takenOf(steps.slice(steps.indexOf(current) + 1))[0];
    else step = move === 'back' ? earlier : move;
    returnTo = move === 'next' || move === 'back' ? undefined : current;
  }
}

const takenOf = (steps: readonly PromptStep[]): readonly PromptStep[] =>
  steps.filter(({ isSkipped }) => isSkipped?.() !== true);
const countQuestions = (steps: readonly PromptStep[]): number =>
  steps.filter(({ isQuestion }) => isQuestion).length;

/** A line of text. keep: called with the text at each change, so that nothing typed is lost on the way back. */
export function textStep(question: () => StepQuestion, keep: (text: string) => void): PromptStep {
  return {
    isQuestion: true,
    run: (place) => {
      const { prompt, value = '', placeHolder, isSecret = false, validate, warn } = question();
      const box = vscode.window.createInputBox();
      box.prompt = withoutIconsAndLinks(prompt);
      box.placeholder = placeHolder;
      box.password = isSecret;
      box.value = value;
      box.valueSelection = [0, value.length];
      const warningOf = (text: string): vscode.InputBoxValidationMessage | undefined => {
        const message = warn?.(text);
        return message === undefined
          ? undefined
          : {
              message: withoutIconsAndLinks(message),
              severity: vscode.InputBoxValidationSeverity.Warning,
            };
      };
      return showStep(box, place, ({ leave }) => {
        box.onDidChangeValue((text) => {
          keep(text.trim());
          box.validationMessage = problemIn(text, validate) ?? warningOf(text);
        });
        box.onDidAccept(() => {
          const problem = problemIn(box.value, validate);
          box.validationMessage = problem;
          if (problem !== undefined) return;
          keep(box.value.trim());
          leave('next');
        });
      });
    },
  };
}

interface PickQuestion<T> {
  readonly placeHolder: string;
  readonly choices: readonly Choice<T>[];
  /** The value chosen before; the first one otherwise. */
  readonly value?: T;
}

/** One of several. keep: called with what was chosen; when it rejects, the flow ends with its error. */
export function pickStep<T>(
  question: () => PickQuestion<T>,
  keep: (value: T) => Promise<void> | void,
): PromptStep {
  return {
    isQuestion: true,
    run: (place) => {
      const { placeHolder, choices, value } = question();
      const pick = vscode.window.createQuickPick<Choice<T>>();
      pick.placeholder = placeHolder;
      pick.matchOnDetail = true;
      pick.items = choices.map(drawn);
      const earlier = pick.items.filter((choice) => choice.value === value);
      // Without one the editor makes the first item the active one; given an empty list, it has none.
      if (earlier.length > 0) pick.activeItems = earlier;
      return showStep(pick, place, ({ leave, fail }) => {
        const take = async (chosen: T): Promise<void> => {
          try {
            await keep(chosen);
            leave('next');
          } catch (error) {
            fail(error);
          }
        };
        pick.onDidAccept(() => {
          const [chosen] = pick.activeItems;
          if (chosen !== undefined) void take(chosen.value);
        });
      });
    },
  };
}

/** What went wrong, and what the user can do about it. */
export interface Recovery {
  readonly message: string;
  readonly choices: readonly Choice<Move | 'again'>[];
}

interface Attempt {
  /** What is being done. */
  readonly title: string;
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** undefined: the flow ends with the error. */
  readonly recover: (error: unknown) => Recovery | undefined;
}

/** Work between two questions. If it fails, the user chooses how to go on. */
export function attemptStep({ title, work, recover }: Attempt): PromptStep {
  return {
    isQuestion: false,
    run: async (place) => {
      const controller = new AbortController();
      const { signal } = controller;
      const pick = vscode.window.createQuickPick<Choice<Move | 'again'>>();
      const begin = async ({ leave, fail }: Leaving): Promise<void> => {
        pick.busy = true;
        pick.placeholder = title;
        pick.prompt = undefined;
        pick.items = [];
        try {
          await work(signal);
          leave('next');
        } catch (error) {
          if (signal.aborted) return;
          const recovery = recover(error);
          if (recovery === undefined) {
            fail(error);
            return;
          }
          pick.busy = false;
          pick.placeholder = undefined;
          // Of what a service says, no icon is drawn and no link leads to a command.
          pick.prompt = withoutIconsAndLinks(recovery.message);
          pick.items = recovery.choices.map(drawn);
        }
      };
      try {
        return await showStep(pick, place, (leaving) => {
          pick.onDidAccept(() => {
            const [chosen] = pick.activeItems;
            if (chosen?.value === 'again') void begin(leaving);
            else if (chosen !== undefined) leaving.leave(chosen.value);
          });
          void begin(leaving);
        });
      } finally {
        controller.abort();
      }
    },
  };
}

interface Leaving {
  readonly leave: (move: Move) => void;
  readonly fail: (error: unknown) => void;
}

type Box = vscode.QuickInput & Pick<vscode.InputBox, 'buttons' | 'onDidTriggerButton'>;

/** Shows a box in its flow until it's left. `begin` listens to it. A click elsewhere doesn't close it. */
async function showStep(box: Box, place: Place, begin: (leaving: Leaving) => void): Promise<Move> {
  box.title = place.title;
  box.ignoreFocusOut = true;
  if (place.totalSteps > 1) {
    box.step = place.step;
    box.totalSteps = place.totalSteps;
  }
  if (place.canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
  return untilAnswered<Move>(box, (leave, fail) => {
    box.onDidTriggerButton(() => leave('back'));
    begin({ leave, fail });
  });
}
