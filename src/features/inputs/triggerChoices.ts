// At which of several triggers an execution begins.
import * as vscode from 'vscode';
import type { StartTrigger } from '../../domain/triggers.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { joined, plainLine } from '../../base/format.ts';
import { type Choice, choose, withLateProgress } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';

const icons: Readonly<Record<StartTrigger['kind'], string>> = {
  webhook: 'globe',
  chat: 'comment-discussion',
  form: 'list-flat',
  schedule: 'calendar',
  manual: 'play',
  other: 'zap',
};

function toChoice({ name, kind, detail }: StartTrigger): Choice<string> {
  const kinds: Readonly<Record<StartTrigger['kind'], string>> = {
    webhook: vscode.l10n.t('webhook'),
    chat: vscode.l10n.t('chat; the input is {0}', '{"chatInput": "…"}'),
    form: vscode.l10n.t('form; the input has its fields'),
    schedule: vscode.l10n.t('schedule; takes no input'),
    manual: vscode.l10n.t('by hand'),
    other: vscode.l10n.t('gives the input'),
  };
  return {
    icon: icons[kind],
    label: plainLine(name, 80),
    description: joined([kinds[kind], plainLine(detail, 120)], ' · '),
    value: name,
  };
}

type TriggerDeps = Pick<App, 'actions' | 'drafts' | 'logger' | 'requestWaits'>;

export class TriggerChoices {
  readonly #deps: TriggerDeps;

  constructor(deps: TriggerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns where to begin; undefined where there's nothing to choose. asks: the last choice only stands first; otherwise it's taken without
   * a question. Rejects with Cancelled on Escape.
   */
  async choose(
    target: WorkflowTarget,
    { isDraft = false, asks = false }: { readonly isDraft?: boolean; readonly asks?: boolean | undefined },
  ): Promise<string | undefined> {
    const found = await this.#read(target, isDraft);
    if (found === undefined || found.length < 2) return undefined;
    const last = this.#deps.drafts.trigger(target);
    if (!asks && found.some(({ name }) => name === last)) return last;
    const sorted = found.toSorted((left, right) => Number(right.name === last) - Number(left.name === last));
    const chosen = await choose(vscode.l10n.t('Select a trigger to begin at'), sorted.map(toChoice));
    await this.#remember(target, chosen);
    return chosen;
  }

  /** Executing goes on also where it can't be remembered. */
  async #remember(target: WorkflowTarget, trigger: string): Promise<void> {
    const { drafts, logger } = this.#deps;
    try {
      await drafts.chooseTrigger(target, trigger);
    } catch (error) {
      logger.warn(`The trigger of an input can't be remembered: ${String(error)}`);
    }
  }

  /** Whether executions begin by hand only, so that there's nothing to deploy. */
  async isByHand(target: WorkflowTarget): Promise<boolean> {
    const found = (await this.#read(target, true)) ?? [];
    return found.length > 0 && found.every(({ kind }) => kind === 'manual');
  }

  #read(target: WorkflowTarget, isDraft: boolean): Promise<readonly StartTrigger[] | undefined> {
    const { actions } = this.#deps;
    return withLateProgress(this.#deps, vscode.l10n.t('Reading the workflow…'), (signal) =>
      actions.triggers(target, { isDraft, signal }),
    );
  }
}
