// Takes the steps of a plan, one by one. Each can be repeated, and what was agreed is kept after each.
import { equalJson, type JsonObject, stringifyJson } from '../base/json.ts';
import { isServiceError, mayHaveArrived, type ServiceError } from '../domain/errors.ts';
import type { Workflow } from '../domain/workflow.ts';
import { DefinitionStore, editVersion, type SaveResult } from '../model/workflows/definitionStore.ts';
import { findLeftOut } from '../model/workflows/leftOut.ts';
import { renderDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';
import { type Agreed, agreedDefinition, type BegunCreate } from './agreed.ts';
import { findCreated } from './begunWrites.ts';
import { changeWorkflowsFile, linkFile, renameFile } from './editWorkflowsFile.ts';
import { fileDefinition, type Plan, type PlanStep } from './plan.ts';
import { type FilesFolder, type FilesService, listRows, readWorkflow } from './ports.ts';
import { renderLike } from './renderLike.ts';
import { PromisedWorkflows } from './subWorkflows.ts';
import { limits } from '../protocol/operations.ts';

export interface StepsDeps {
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

/** How often a create is sent that was refused for the request limit. */
const createAttempts = 3;

export class Steps {
  readonly #plan: Plan;
  readonly #deps: StepsDeps;
  readonly #signal: AbortSignal;
  readonly #definitions: DefinitionStore;
  /** The ids of all workflows that aren't the one being created. */
  readonly #known: Set<string>;
  readonly #promised: PromisedWorkflows;
  /** Those that were sent with an id that isn't known yet. */
  readonly #unfinished = new Set<PlanStep>();
  /** The files that were tried, and not done. */
  readonly #failed = new Set<string>();

  constructor(plan: Plan, deps: StepsDeps, signal: AbortSignal) {
    this.#plan = plan;
    this.#deps = deps;
    this.#signal = signal;
    this.#known = new Set(plan.workflowIds);
    this.#promised = new PromisedWorkflows(plan.promised);
    this.#definitions = new DefinitionStore(deps.service);
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
    // Where records have no version, the definition itself says whether it's another one.
    const isAgreed =
      agreement?.version === version && (version !== null || equalJson(there, agreedDefinition(agreement)));
    if (!isAgreed) await this.#deps.agreed.agree(file, here, workflow, there);
  }

  async take(step: PlanStep): Promise<StepResult> {
    const { here, workflowId, file } = step.compared;
    if (step.action === 'conflict') return { kind: 'conflict', step, workflowId };
    const lacking = step.changes === 'workflow' && here !== undefined ? this.#promised.lacking(here) : [];
    if (lacking.some((each) => this.#failed.has(each))) return { kind: 'notTried', step, workflowId };
    if (lacking.length > 0) this.#unfinished.add(step);
    const result = await this.#attempt(step, () => this.#change(this.#resolved(step)));
    if (result.kind !== 'done') this.#failed.add(file);
    return result;
  }

  /** Where a workflow calls one that was created after it, since they call each other: sends it once more. */
  async finish(result: StepResult): Promise<StepResult> {
    const { step, workflowId } = result;
    if (!this.#unfinished.delete(step) || result.kind !== 'done' || workflowId === undefined) return result;
    const { compared } = this.#resolved(step);
    const there = agreedDefinition(this.#deps.agreed.find(compared.file, workflowId));
    if (there === undefined) return result;
    return this.#attempt(step, () => this.#update({ ...step, compared: { ...compared, workflowId, there } }));
  }

  /** Deploys what was done where that is planned, once nothing is to be sent again. */
  async #attempt(step: PlanStep, change: () => Promise<StepResult>): Promise<StepResult> {
    let { workflowId } = step.compared;
    try {
      const result = await change();
      ({ workflowId } = result);
      if (result.kind === 'done' && step.deploys && !this.#unfinished.has(step) && workflowId !== undefined)
        await this.#deploy(step.compared.file, workflowId);
      return { ...result, step };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { kind: 'failed', step, workflowId, error };
    }
  }

  /** Calls the workflows that were created by the ids that they have got. */
  #resolved(step: PlanStep): PlanStep {
    const { compared, changes } = step;
    if (changes !== 'workflow' || compared.here === undefined) return step;
    return { ...step, compared: { ...compared, here: this.#promised.resolve(compared.here) } };
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
      await this.#deps.agreed.agree(file, there, workflow, there);
      await this.#deps.agreed.save();
    }
    return done(step, workflowId);
  }

  async #writeFile(step: PlanStep): Promise<StepResult> {
    const { folder, agreed } = this.#deps;
    const { compared } = step;
    const { file, text, workflowId, isLinked } = compared;
    if (workflowId === undefined || (await this.#isEdited(step)))
      return { kind: 'conflict', step, workflowId };
    const { workflow, there } = await this.#readThere(compared, workflowId);
    const definition = fileDefinition(compared, there);
    // A file that is linked to nothing would be taken for a new workflow.
    if (!isLinked) await this.#link(file, workflowId);
    await folder.write(
      file,
      text === undefined ? renderDefinition(definition) : renderLike(text, definition),
    );
    await agreed.agree(file, definition, workflow, there);
    await agreed.save();
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
    await agreed.agree(file, here, workflow);
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
    this.#promised.keep(file, workflow.id);
    agreed.begin(file, { ...begun, workflowId: workflow.id });
    await agreed.agree(file, here, workflow);
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
    const rows = await listRows(service, this.#signal);
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
    if (agreement === undefined || !equalJson(toDefinition(deployed), agreedDefinition(agreement))) return;
    agreed.set(file, { ...agreement, version: editVersion(deployed) });
    await agreed.save();
  }

  /** The record with its definition, which some services leave out of the response to a change. */
  #whole(workflow: Workflow): Promise<Workflow> {
    return workflow.hasDefinition ? Promise.resolve(workflow) : this.#read(workflow.id);
  }

  #read(workflowId: string): Promise<Workflow> {
    return readWorkflow(this.#deps.service, workflowId, this.#signal);
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
