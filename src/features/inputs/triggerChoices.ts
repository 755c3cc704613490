// At which of several triggers an execution begins.
import * as vscode from 'vscode';
import { BoundedMap } from '../../base/boundedMap.ts';
import type { StartTrigger } from '../../domain/startTrigger.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { joined, plainLine } from '../../editor/format.ts';
import { type Choice, choose, withLateProgress } from '../../editor/prompts.ts';
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

/** How many workflows' last choices are remembered. */
const maximumChoices = 1000;

export class TriggerChoices {
  readonly #deps: Pick<App, 'actions' | 'requestWaits'>;
  readonly #last = new BoundedMap<string, string>(maximumChoices);

  constructor(deps: Pick<App, 'actions' | 'requestWaits'>) {
    this.#deps = deps;
  }

  /** Asks where to begin, the last choice first. Returns undefined where there's nothing to choose. Rejects with Cancelled on Escape. */
  async choose(target: WorkflowTarget, isDraft = false): Promise<string | undefined> {
    const found = await this.#read(target, isDraft);
    if (found === undefined || found.length < 2) return undefined;
    const last = this.#last.get(targetName(target));
    const sorted = found.toSorted((left, right) => Number(right.name === last) - Number(left.name === last));
    const chosen = await choose(vscode.l10n.t('Select a trigger to begin at'), sorted.map(toChoice));
    this.#last.set(targetName(target), chosen);
    return chosen;
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
