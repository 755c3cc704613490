// Executes workflows with an input: of a document, from code, or of an earlier execution.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { isAbortError } from '../../base/async.ts';
import { isServiceError, type ServiceErrorReason, type Unstartable } from '../../domain/errors.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import type { ExecuteResult } from '../../editor/commands/declared/members.ts';
import { joined, plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { askInDialog, confirm } from '../../editor/prompts/dialogs.ts';
import { Cancelled, showMessage, withLateProgress } from '../../editor/prompts/prompts.ts';
import type { App } from '../../ui/app.ts';
import type { DraftRequest, RetryRequest } from '../../protocol/requests.ts';
import { rememberInput } from '../../model/inputs/inputHistory.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import { UnconfirmedExecution } from '../../model/workflows/executing.ts';
import type { TriggeredExecution } from '../../model/workflows/workflowActions.ts';
import { findUsedPins } from '../../ui/pinning.ts';
import { deployInteractively } from '../../ui/deployInteractively.ts';
import { findServiceDocument, readOpenDefinition } from '../../ui/pickers/openDefinition.ts';
import { pushFile } from '../../ui/pushFile.ts';
import { describeError } from '../../ui/words/describeError.ts';
import { refuseMismatch } from './inputMismatch.ts';
import type { JsonLanguages } from './jsonLanguages.ts';
import { TriggerChoices } from './triggerChoices.ts';
import type { Triggered } from '../../domain/execution.ts';

type ExecutorDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'definitionTargets'
  | 'drafts'
  | 'executions'
  | 'following'
  | 'history'
  | 'logger'
  | 'pins'
  | 'requestWaits'
  | 'schemas'
  | 'selection'
  | 'services'
  | 'workflows'
>;

/** While so many are followed, those that are started for many rows aren't. What is in sight is kept up to date all the same. */
const followedOfMany = 10;

/** Executes a workflow and follows the execution. */
export class Executor {
  readonly #deps: ExecutorDeps;
  readonly #languages: JsonLanguages;
  readonly #triggers: TriggerChoices;

  constructor(deps: ExecutorDeps, languages: JsonLanguages) {
    this.#deps = deps;
    this.#languages = languages;
    this.#triggers = new TriggerChoices(deps);
  }

  /**
   * Asks a user whether to deploy the workflow or to send the same request again, where that helps; code gets the error. For a user it
   * rejects with an InputMismatch for an input that breaks the trigger's schema, unless the user has confirmed it.
   */
  async execute(
    target: WorkflowTarget,
    input: JsonObject,
    {
      isInteractive,
      isConfirmed = false,
      isOneOfMany = false,
      trigger,
      asksTrigger,
    }: {
      readonly isInteractive: boolean;
      /** Started for many rows at once. */
      readonly isOneOfMany?: boolean;
      readonly isConfirmed?: boolean;
      /** The node that it begins at. Default: for a user who has a choice, the one that the user has chosen or chooses. */
      readonly trigger?: string | undefined;
      /** Asks a user also where one was chosen before. */
      readonly asksTrigger?: boolean | undefined;
    },
  ): Promise<ExecuteResult> {
    const { actions, schemas } = this.#deps;
    actions.refuseArchived(target);
    if (isInteractive && !isConfirmed) await refuseMismatch(schemas, this.#languages, target, input);
    const triggered = isInteractive
      ? await this.#executeForPerson(target, input, { given: trigger, asks: asksTrigger })
      : await actions.execute(target, input, { trigger });
    const remembered = rememberInput(this.#deps, target, input);
    const result = await this.#show(target, triggered, isOneOfMany);
    await remembered;
    return result;
  }

  /** Executes a definition as it is, and shows the execution in it. */
  async executeDraft(
    target: WorkflowTarget,
    draft: DraftRequest,
    { isInteractive, trigger }: { readonly isInteractive: boolean; readonly trigger?: string | undefined },
  ): Promise<ExecuteResult> {
    const { actions } = this.#deps;
    return this.#show(
      target,
      await (isInteractive
        ? this.#executeWithPins(target, draft, trigger)
        : actions.executeDraft(target, draft, { trigger })),
    );
  }

  /** Goes on from where an execution failed or was cancelled, or from a node of it, and follows the new execution. */
  async retry(
    target: ExecutionTarget,
    request: RetryRequest,
    { isInteractive, isOneOfMany }: { readonly isInteractive: boolean; readonly isOneOfMany: boolean },
  ): Promise<ExecuteResult> {
    const { actions, executions } = this.#deps;
    const { connectionId } = target;
    const workflow = { connectionId, workflowId: executions.find(target)?.workflowId ?? '' };
    const call = (signal?: AbortSignal) => actions.retry(target, request, signal);
    const triggered = await (isInteractive ? this.#send(workflow, call) : call());
    return this.#show({ connectionId, workflowId: triggered.workflowId }, triggered, isOneOfMany);
  }

  /** A draft execution is shown until the next execution, as the latest one is. */
  #showInDefinition(target: WorkflowTarget, executionId: string): void {
    const { executions, selection } = this.#deps;
    const { connectionId } = target;
    const isDraft = (id: string) => executions.find({ connectionId, executionId: id })?.kind === 'draft';
    const shown = selection.findExecution(target);
    if (isDraft(executionId)) selection.selectExecution(target, executionId);
    else if (shown !== null && isDraft(shown)) selection.selectExecution(target, null);
  }

  /** Follows the execution, as soon as it's known. */
  async #show(
    target: WorkflowTarget,
    triggered: TriggeredExecution,
    isOneOfMany = false,
  ): Promise<ExecuteResult> {
    const [executionId] = triggered.executionIds;
    const isFollowed = !isOneOfMany || this.#deps.following.current.length < followedOfMany;
    if (isFollowed && executionId === undefined) void this.#findAndFollow(target, triggered);
    if (isFollowed && executionId !== undefined) {
      this.#showInDefinition(target, executionId);
      await this.#follow({ connectionId: target.connectionId, executionId });
    }
    return {
      workflowId: target.workflowId,
      eventIds: triggered.eventIds,
      status: triggered.status,
      ...(executionId === undefined ? {} : { executionId }),
    };
  }

  async #executeForPerson(
    target: WorkflowTarget,
    input: JsonObject,
    { given, asks }: { readonly given: string | undefined; readonly asks: boolean | undefined },
  ): Promise<TriggeredExecution> {
    const { actions, workflows } = this.#deps;
    const execute = async () => {
      const trigger = given ?? (await this.#triggers.choose(target, { asks }));
      return this.#send(target, (signal) => actions.execute(target, input, { trigger, signal }));
    };
    try {
      const isReady = workflows.find(target)?.isDeployed !== false || (await this.#triggers.isByHand(target));
      if (isReady) return await execute();
    } catch (error) {
      if (!isServiceError(error, 'notDeployed')) throw error;
    }
    if (await this.#offerDraft(target)) {
      return this.#executeWithPins(target, { definition: readOpenDefinition(this.#deps, target), input });
    }
    await deployInteractively(this.#deps, target);
    return execute();
  }

  /** Pins are the user's own, so code sends those that it names. */
  async #executeWithPins(
    target: WorkflowTarget,
    draft: DraftRequest,
    given?: string,
  ): Promise<TriggeredExecution> {
    const { actions, pins, workflows } = this.#deps;
    const isChosen = given !== undefined || draft.until !== undefined || draft.only !== undefined;
    const trigger = isChosen ? given : await this.#triggers.choose(target, { isDraft: true, asks: true });
    const isPinned =
      draft.pinned === undefined && draft.answers === undefined && pins.list(target).length > 0;
    const definition = draft.definition ?? (isPinned ? toDefinition(await workflows.read(target)) : {});
    const pinned = isPinned ? findUsedPins(pins, target, definition) : {};
    try {
      return await this.#send(target, (signal) =>
        actions.executeDraft(target, { ...draft, ...pinned }, { trigger, signal }),
      );
    } catch (error) {
      const unsaved = reasonNotStartable(error, 'unsaved');
      if (unsaved === undefined) throw error;
      await this.#saveFirst(target, unsaved);
      return this.#executeWithPins(
        target,
        { ...draft, definition: readOpenDefinition(this.#deps, target) },
        trigger,
      );
    }
  }

  /** Rejects with Cancelled unless the user wants to save the definition, and it's saved then. */
  async #saveFirst(target: WorkflowTarget, { by }: NotStartable): Promise<void> {
    const open = this.#deps.definitionTargets.findOpen(target);
    if (open !== undefined && this.#deps.definitionTargets.isLinkedFile(open.uri)) {
      await confirm(
        vscode.l10n.t('Push the file and execute it?'),
        vscode.l10n.t('Push and Execute'),
        vscode.l10n.t('{0} executes what is saved there. Pushing deploys nothing.', by),
      );
      return pushFile(this.#deps, 'files.pushFile', open.uri);
    }
    const document = findServiceDocument(target);
    // Somebody else has saved another definition: saving this one meets that.
    if (document?.isDirty !== true)
      throw new PlainError(
        vscode.l10n.t('The workflow has changed in {0}. Refresh the definition, then execute it.', by),
      );
    await confirm(
      vscode.l10n.t('Save the definition and execute it?'),
      vscode.l10n.t('Save and Execute'),
      vscode.l10n.t('{0} executes what is saved. Saving deploys nothing.', by),
    );
    if (!(await document.save())) throw new Cancelled();
  }

  /** If the service doesn't respond, the user may send the same request again. */
  async #send(
    target: WorkflowTarget,
    call: (signal: AbortSignal) => Promise<TriggeredExecution>,
  ): Promise<TriggeredExecution> {
    const { actions, clock } = this.#deps;
    try {
      return await withLateProgress(this.#deps, vscode.l10n.t('Executing…'), call);
    } catch (error) {
      const notInMcp = reasonNotStartable(error, 'closedNotInMcp', 'notInMcp');
      if (notInMcp !== undefined) {
        await this.#allowMcp(target, notInMcp);
        return this.#send(target, call);
      }
      if (!(error instanceof UnconfirmedExecution)) throw error;
      await confirm(
        describeError(error, clock.now()).message,
        vscode.l10n.t('Try Again'),
        this.#deps.services.traits(target.connectionId).startsOnce
          ? vscode.l10n.t(
              'The same request is sent with the same Idempotency-Key, so a service that supports it starts no second execution.',
            )
          : vscode.l10n.t(
              'The same request is sent again. If the first request did get through, this starts a second execution.',
            ),
      );
      return this.#send(target, (signal) => actions.executeAgain(target, error, signal));
    }
  }

  /** Rejects with Cancelled on Escape. */
  async #allowMcp(target: WorkflowTarget, { because, by }: NotStartable): Promise<void> {
    const { actions, workflows } = this.#deps;
    const name = plainLine(workflows.find(target)?.name ?? target.workflowId, 80);
    await confirm(
      vscode.l10n.t('Let {0}\'s MCP server execute "{1}"?', by, name),
      vscode.l10n.t('Allow and Execute'),
      joined(
        [
          because === 'closedNotInMcp'
            ? vscode.l10n.t("The workflow's Webhook node requires authentication of its own.")
            : undefined,
          vscode.l10n.t(
            'This switches on "Available in MCP" in the workflow\'s settings, for every program with a token. It changes and deploys nothing else.',
          ),
        ],
        ' ',
      ),
    );
    await actions.allowMcp(target);
  }

  /** Asks how to execute what isn't deployed. Returns whether as a draft. Rejects with Cancelled on Escape. */
  async #offerDraft(target: WorkflowTarget): Promise<boolean> {
    const { services, workflows } = this.#deps;
    const name = plainLine(workflows.find(target)?.name ?? target.workflowId, 80);
    const question = vscode.l10n.t('Deploy workflow "{0}" and execute it?', name);
    const detail = vscode.l10n.t(
      "It isn't deployed yet. This deploys the current definition, then executes it with this input.",
    );
    const deploy = { label: vscode.l10n.t('Deploy and Execute'), value: false };
    if (!services.offers(target.connectionId, 'draft')) {
      await confirm(question, deploy.label, detail);
      return false;
    }
    const isDraft = await askInDialog({
      question,
      detail: `${detail} ${vscode.l10n.t('A draft is executed as you see it, and nothing is deployed.')}`,
      buttons: [deploy, { label: vscode.l10n.t('Execute as Draft'), value: true }],
    });
    if (isDraft === undefined) throw new Cancelled();
    return isDraft;
  }

  /** Follows the execution and shows its log. */
  async #follow(target: ExecutionTarget): Promise<void> {
    const { commands, following, logger } = this.#deps;
    following.follow(target);
    try {
      await commands.run('execution.showLogs', target);
    } catch (error) {
      logger.error('The log of the execution could not be shown.', error);
    }
  }

  /** Finds the execution of the events in the background. Shows a message if it isn't certain which one it is. */
  async #findAndFollow(target: WorkflowTarget, triggered: TriggeredExecution): Promise<void> {
    const { actions, executions, logger } = this.#deps;
    const { connectionId } = target;
    try {
      const match = await actions.findExecution(target, triggered);
      await executions.refresh(target);
      if (match.kind === 'probable') void showMessage('information', describeProbable());
      if (match.kind === 'unknown') void showMessage('information', describeUnknown(triggered));
      else await this.#follow({ connectionId, executionId: match.executionId });
    } catch (error) {
      if (!isAbortError(error)) logger.error('The execution could not be found.', error);
    }
  }
}

type NotStartable = Extract<ServiceErrorReason, { readonly kind: 'notStartable' }>;

function reasonNotStartable(error: unknown, ...wanted: readonly Unstartable[]): NotStartable | undefined {
  if (!isServiceError(error) || error.reason.kind !== 'notStartable') return undefined;
  return wanted.includes(error.reason.because) ? error.reason : undefined;
}

function describeProbable(): string {
  return vscode.l10n.t(
    "The execution was started, but the service doesn't report which one it is. The newest one is probably yours and is followed.",
  );
}

const shownEventIds = 3;

/** The message if the execution can't be determined. It contains the event ids, by which the user can search on the service. */
export function describeUnknown({ eventIds }: Triggered): string {
  const sentence = vscode.l10n.t(
    "The execution was started, but the service doesn't report which one it is. Look at the newest executions.",
  );
  if (eventIds.length === 0) return sentence;
  const ids = eventIds.slice(0, shownEventIds).map((id) => plainLine(id, 80));
  const more = eventIds.length > shownEventIds ? ', …' : '';
  return `${sentence} ${vscode.l10n.t('Event: {0}', ids.join(', ') + more)}`;
}
