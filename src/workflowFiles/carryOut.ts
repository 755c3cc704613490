// Carries out a plan, step by step. Each step can be repeated, and what was agreed is kept after each.
import * as l10n from '@vscode/l10n';
import { abortReason } from '../base/async.ts';
import { equalJson, type JsonObject, parseJson, stringifyJson } from '../base/json.ts';
import { isServiceError, mayHaveArrived, type ServiceError } from '../domain/errors.ts';
import type { Workflow } from '../domain/workflow.ts';
import { DefinitionStore, editVersion, type SaveResult } from '../model/workflows/definitionStore.ts';
import { findLeftOut } from '../model/workflows/leftOut.ts';
import { renderDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';
import { type Agreed, type BegunCreate, hashOf } from './agreed.ts';
import { findCreated } from './begunWrites.ts';
import { maximumWorkflows, withoutMark } from './compareFolder.ts';
import { changeWorkflowsFile, linkFile, renameFile } from './editWorkflowsFile.ts';
import { FilesError } from './filesError.ts';
import { fileDefinition, type Plan, type PlanStep } from './plan.ts';
import type { FilesFolder, FilesService } from './ports.ts';
import { renderLike } from './renderLike.ts';
import { limits } from '../protocol/operations.ts';

export interface CarryOutDeps {
  readonly folder: FilesFolder;
  readonly service: FilesService;
  readonly agreed: Agreed;
}

export type StepResult = {
  readonly step: PlanStep;
  /** Of the workflow, once there is one. */
  readonly workflowId: string | undefined;
} & (
  | {
      readonly kind: 'done';
      /** Members that the service doesn't keep. */
      readonly leftOut: readonly string[];
    }
  /** Nothing was done: it's for a person to decide. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** An error before it would meet this step as well. */
  | { readonly kind: 'notTried' }
);

export interface Watch {
  readonly onBegin?: (step: PlanStep) => void;
  readonly onEnd?: (result: StepResult) => void;
}

/**
 * Rejects with a FilesError if the folder can't be written, or if others change it or have done so since it was compared, and with the signal's
 * reason; what was done until then is agreed. Errors of the service are results.
 */
export async function carryOut(
  plan: Plan,
  deps: CarryOutDeps,
  signal: AbortSignal,
  watch: Watch = {},
): Promise<readonly StepResult[]> {
  const lock = await deps.folder.lock();
  if (lock === undefined)
    throw new FilesError(
      l10n.t('Another push or pull is changing this folder. Nothing was done; try again when it has ended.'),
    );
  try {
    // What is planned would do again what the other one has done.
    if (!(await deps.agreed.isCurrent()))
      throw new FilesError(
        l10n.t('Another push or pull has changed this folder meanwhile. Nothing was done; try again.'),
      );
    return await takeSteps(plan, deps, signal, watch);
  } finally {
    lock.dispose();
  }
}

async function takeSteps(
  plan: Plan,
  deps: CarryOutDeps,
  signal: AbortSignal,
  { onBegin, onEnd }: Watch,
): Promise<readonly StepResult[]> {
  const steps = new Steps(plan, deps, signal);
  await steps.settle();
  const results: StepResult[] = [];
  let isOver = false;
  for (const step of plan.steps) {
    if (signal.aborted) throw abortReason(signal);
    onBegin?.(step);
    const { workflowId } = step.compared;
    const result: StepResult = isOver ? { kind: 'notTried', step, workflowId } : await steps.take(step);
    isOver ||= result.kind === 'failed' && meetsAll(result.error);
    results.push(result);
    onEnd?.(result);
  }
  await deps.agreed.save();
  return results;
}

const aboutAll = new Set(['keyMissing', 'keyRejected', 'secretStorage', 'unreachable', 'rateLimited']);

/** True for an error that isn't about one workflow. */
function meetsAll({ reason }: ServiceError): boolean {
  return aboutAll.has(reason.kind);
}

/** How often a create is sent that was refused for the request limit. */
const createAttempts = 3;

class Steps {
  readonly #plan: Plan;
  readonly #deps: CarryOutDeps;
  readonly #signal: AbortSignal;
  readonly #definitions: DefinitionStore;
  /** The ids of all workflows that aren't the one being created. */
  readonly #known: Set<string>;

  constructor(plan: Plan, deps: CarryOutDeps, signal: AbortSignal) {
    this.#plan = plan;
    this.#deps = deps;
    this.#signal = signal;
    this.#known = new Set(plan.workflowIds);
    const { workflows, actions } = deps.service;
    this.#definitions = new DefinitionStore({
      read: (target, within) => workflows.read(target, within),
      update: (target, changes, within) => actions.update(target, changes, within),
    });
  }

  /** Notes which files were renamed, the workflows that were found to be those of files, and what is the same. */
  async settle(): Promise<void> {
    for (const { compared } of this.#plan.steps) {
      const { file, workflowId, isLinked, text, state, renamedFrom } = compared;
      if (renamedFrom !== undefined) await this.#rename(renamedFrom, file);
      if (workflowId !== undefined && !isLinked && text !== undefined) await this.#link(file, workflowId);
      if (state === 'same') await this.#agreeSame(compared);
    }
    await this.#deps.agreed.save();
  }

  async #agreeSame({ file, here, there, workflow, agreement }: PlanStep['compared']): Promise<void> {
    if (here === undefined || there === undefined || workflow === undefined) return;
    const version = editVersion(workflow);
    if (agreement?.version !== version) await this.#agree({ file, here }, workflow, there);
  }

  async take(step: PlanStep): Promise<StepResult> {
    const { workflowId } = step.compared;
    if (step.action === 'conflict') return { kind: 'conflict', step, workflowId };
    try {
      const result = await this.#change(step);
      if (result.kind === 'done' && step.deploys && result.workflowId !== undefined)
        await this.#deploy(step.compared.file, result.workflowId);
      return result;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { kind: 'failed', step, workflowId, error };
    }
  }

  #change(step: PlanStep): Promise<StepResult> {
    switch (step.action) {
      case 'create':
        return step.changes === 'file' ? this.#writeFile(step) : this.#create(step);
      case 'update':
        return step.changes === 'file' ? this.#writeFile(step) : this.#update(step);
      case 'delete':
        return this.#deleteFile(step);
      default:
        return this.#leave(step);
    }
  }

  async #leave(step: PlanStep): Promise<StepResult> {
    const { file, workflow, there, workflowId } = step.compared;
    if (step.keepsMine && workflow !== undefined && there !== undefined) {
      // The file counts as changed from now on, and is sent by a push.
      await this.#agree({ file, here: there }, workflow, there);
      await this.#deps.agreed.save();
    }
    return done(step, workflowId);
  }

  async #writeFile(step: PlanStep): Promise<StepResult> {
    const { compared } = step;
    const { file, text, workflowId, isLinked } = compared;
    if (workflowId === undefined || (await this.#isEdited(step)))
      return { kind: 'conflict', step, workflowId };
    const { workflow, there } = await this.#readThere(compared, workflowId);
    const definition = fileDefinition(compared, there);
    // A file that is linked to nothing would be taken for a new workflow.
    if (!isLinked) await this.#link(file, workflowId);
    await this.#deps.folder.write(
      file,
      text === undefined ? renderDefinition(definition) : rewrite(text, definition),
    );
    await this.#agree({ file, here: definition }, workflow, there);
    await this.#deps.agreed.save();
    return done(step, workflowId);
  }

  async #deleteFile(step: PlanStep): Promise<StepResult> {
    const { file } = step.compared;
    if (await this.#isEdited(step)) return { kind: 'conflict', step, workflowId: undefined };
    const { folder, agreed } = this.#deps;
    await folder.remove(file);
    await this.#link(file, undefined);
    agreed.forget(file);
    await agreed.save();
    return done(step, undefined);
  }

  /** Somebody has written the file since it was compared. */
  async #isEdited({ compared: { file, text, problem } }: PlanStep): Promise<boolean> {
    if (problem !== undefined && text === undefined) return true;
    return (await this.#deps.folder.read(file, limits.importBytes)) !== text;
  }

  async #readThere(
    { workflow, there }: PlanStep['compared'],
    workflowId: string,
  ): Promise<{ readonly workflow: Workflow; readonly there: JsonObject }> {
    if (workflow !== undefined && there !== undefined) return { workflow, there };
    const read = await this.#read(workflowId);
    return { workflow: read, there: toDefinition(read) };
  }

  async #update(step: PlanStep): Promise<StepResult> {
    const { agreed } = this.#deps;
    const { file, here, there, workflowId } = step.compared;
    if (here === undefined || there === undefined || workflowId === undefined)
      return { kind: 'conflict', step, workflowId };
    agreed.begin(file, { kind: 'update', text: stringifyJson(here) });
    await agreed.save();
    const saved = await this.#save(workflowId, here, there);
    if (saved.kind === 'conflict') {
      agreed.endBegun(file);
      return { kind: 'conflict', step, workflowId };
    }
    const workflow = await this.#whole(saved.now.workflow);
    await this.#agree({ file, here }, workflow, toDefinition(workflow));
    agreed.endBegun(file);
    await agreed.save();
    return done(step, workflowId, findLeftOut(here, workflow));
  }

  /** Saves once more where the response was lost: by then the service may have it. */
  async #save(workflowId: string, mine: JsonObject, seen: JsonObject): Promise<SaveResult> {
    const target = { connectionId: this.#deps.service.connectionId, workflowId };
    try {
      return await this.#definitions.save(target, mine, [seen], this.#signal);
    } catch (error) {
      if (!isServiceError(error) || !mayHaveArrived(error)) throw error;
      const saved = await this.#definitions.save(target, mine, [seen], this.#signal);
      // It may be mine as the service keeps it: the next comparison finds out.
      if (saved.kind === 'conflict') throw error;
      return saved;
    }
  }

  async #create(step: PlanStep): Promise<StepResult> {
    const { agreed } = this.#deps;
    const { file, here } = step.compared;
    if (here === undefined) return { kind: 'conflict', step, workflowId: undefined };
    const begun: BegunCreate = { kind: 'create', text: stringifyJson(here), known: [...this.#known] };
    agreed.begin(file, begun);
    await agreed.save();
    const workflow = await this.#whole(await this.#createOnce(file, here, begun));
    this.#known.add(workflow.id);
    agreed.begin(file, { ...begun, workflowId: workflow.id });
    await this.#agree({ file, here }, workflow, toDefinition(workflow));
    await agreed.save();
    await this.#link(file, workflow.id);
    agreed.endBegun(file);
    return done(step, workflow.id, findLeftOut(here, workflow));
  }

  /** Looks for the new workflow where the response doesn't say, and never sends it again unless it isn't there. */
  async #createOnce(file: string, definition: JsonObject, begun: BegunCreate): Promise<Workflow> {
    const { service, agreed } = this.#deps;
    const options = { signal: this.#signal, isOnce: true };
    for (let attempt = 1; ; attempt += 1)
      try {
        return await service.actions.import(service.connectionId, definition, options);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        const isLimited = error.reason.kind === 'rateLimited';
        if (!isLimited && !mayHaveArrived(error)) {
          agreed.endBegun(file);
          throw error;
        }
        const found = await this.#findCreated(begun);
        if (found !== undefined) return found;
        const isQuota = error.reason.kind === 'rateLimited' && error.reason.isQuota;
        if (!isLimited || isQuota || attempt === createAttempts) throw error;
      }
  }

  /** undefined: nothing new is what was sent. */
  async #findCreated(begun: BegunCreate): Promise<Workflow | undefined> {
    const { service } = this.#deps;
    const listed = await service.workflows.listWhole(service.connectionId, {
      limit: maximumWorkflows,
      signal: this.#signal,
      purpose: 'asked',
    });
    const rows = new Map(listed.map((workflow) => [workflow.id, workflow]));
    const found = await findCreated({ service, rows }, begun, new Set(), this.#signal);
    return found?.isSent === true ? found.workflow : undefined;
  }

  async #deploy(file: string, workflowId: string): Promise<void> {
    const { service, agreed } = this.#deps;
    const target = { connectionId: service.connectionId, workflowId };
    const deploy = (): Promise<Workflow> => service.actions.deploy(target, this.#signal);
    const deployed = await deploy().catch((error: unknown) => {
      if (!isServiceError(error) || !mayHaveArrived(error)) throw error;
      return deploy();
    });
    // A deployment gives some records a new version.
    const agreement = agreed.find(file, workflowId);
    if (agreement === undefined || !equalJson(toDefinition(deployed), parseJson(agreement.text))) return;
    agreed.set(file, { ...agreement, version: editVersion(deployed) });
    await agreed.save();
  }

  async #agree(
    { file, here }: { readonly file: string; readonly here: JsonObject },
    workflow: Workflow,
    there: JsonObject,
  ): Promise<void> {
    this.#deps.agreed.set(file, {
      workflowId: workflow.id,
      version: editVersion(workflow),
      hash: await hashOf(here),
      text: stringifyJson(there),
    });
  }

  /** The record with its definition, which some services leave out of the response to a change. */
  #whole(workflow: Workflow): Promise<Workflow> {
    return workflow.hasDefinition ? Promise.resolve(workflow) : this.#read(workflow.id);
  }

  #read(workflowId: string): Promise<Workflow> {
    const { workflows, connectionId } = this.#deps.service;
    return workflows.read({ connectionId, workflowId }, this.#signal, 'asked');
  }

  async #rename(from: string, to: string): Promise<void> {
    const { folder, agreed } = this.#deps;
    await changeWorkflowsFile(folder, (text) => renameFile(text, from, to));
    agreed.rename(from, to);
  }

  /** undefined: notes that the file is no workflow of the environment. */
  #link(file: string, workflowId: string | undefined): Promise<void> {
    const { environment } = this.#plan;
    return changeWorkflowsFile(this.#deps.folder, (text) => linkFile(text, file, environment, workflowId));
  }
}

function done(step: PlanStep, workflowId: string | undefined, leftOut: readonly string[] = []): StepResult {
  return { kind: 'done', step, workflowId, leftOut };
}

/** The definition in the file's format, with its byte order mark. */
function rewrite(text: string, definition: JsonObject): string {
  const json = withoutMark(text);
  return text.slice(0, text.length - json.length) + renderLike(json, definition);
}
