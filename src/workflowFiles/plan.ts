// What a pull, a push or a promotion would do, as a value: shown before anything is done, and then carried out.
import type { JsonObject } from '../base/json.ts';
import type { Workflow } from '../domain/workflow.ts';
import { mergeDefinitions } from '../definition/mergeDefinitions.ts';
import { agreedDefinition } from './agreed.ts';
import { type DefinitionChanges, findChanges } from './changes.ts';
import type { ComparedFile, Comparison } from './compareFolder.ts';
import { type MissingNeeds, newNeeds } from './needs.ts';
import { calledFirst, findCalled } from './subWorkflows.ts';

type StepAction = 'create' | 'update' | 'delete' | 'nothing' | 'conflict';

/** Which side is kept where both changed, or where a workflow was deleted. */
export type Decision = 'mine' | 'theirs';

export interface PlanStep {
  readonly compared: ComparedFile;
  readonly action: StepAction;
  /** What the action changes. A conflict and "nothing" change neither. */
  readonly changes: 'file' | 'workflow' | undefined;
  /** What an update changes, where both sides were read. */
  readonly difference?: DefinitionChanges;
  /** What the workflow will need there that it didn't before. */
  readonly needs?: MissingNeeds;
  /** The workflow is deployed afterwards. */
  readonly deploys: boolean;
  /** The file is kept, and what the service has counts as seen. */
  readonly keepsMine: boolean;
}

export interface Plan {
  readonly environment: string;
  readonly steps: readonly PlanStep[];
  /** The ids of all workflows of the service. */
  readonly workflowIds: readonly string[];
  /** As of the comparison: ids that the definitions have until the workflows of these files are created. */
  readonly promised: Comparison['promised'];
}

export interface PlanOptions {
  readonly decision?: Decision | undefined;
  readonly deploys?: boolean;
}

type Made = Pick<PlanStep, 'action' | 'changes'>;

const none: Made = { action: 'nothing', changes: undefined };
const conflict: Made = { action: 'conflict', changes: undefined };
const updateFile: Made = { action: 'update', changes: 'file' };
const createFile: Made = { action: 'create', changes: 'file' };
const deleteFile: Made = { action: 'delete', changes: 'file' };
const updateWorkflow: Made = { action: 'update', changes: 'workflow' };
const createWorkflow: Made = { action: 'create', changes: 'workflow' };

/** What a pull does. `deploys` is for a push. */
export function planPull(comparison: Comparison, { decision }: Pick<PlanOptions, 'decision'> = {}): Plan {
  const make = ({ state, candidates }: ComparedFile): Made => {
    switch (state) {
      case 'changed there':
        return updateFile;
      case 'only there':
        return candidates.length === 0 ? createFile : decide(decision, none, createFile);
      case 'both changed':
        return decide(decision, none, updateFile);
      case 'deleted there':
        return decide(decision, none, deleteFile);
      default:
        return none;
    }
  };
  const steps = comparison.files.map((compared): PlanStep => {
    const keepsMine = compared.state === 'both changed' && decision === 'mine';
    return { ...toStep(compared, make(compared), comparison), deploys: false, keepsMine };
  });
  return { ...rest(comparison), steps };
}

export function planPush(comparison: Comparison, options: PlanOptions = {}): Plan {
  return planSending(comparison, options, { updated: updateFile, deleted: deleteFile });
}

/** What a promotion does. `comparison`: the definitions of one environment with those of the other; the files stay as they are. */
export function planPromotion(comparison: Comparison, options: PlanOptions = {}): Plan {
  return planSending(comparison, options, { updated: none, deleted: none });
}

/** `theirs`: what becomes of what was changed there, and of what was deleted there, where theirs count. */
function planSending(
  comparison: Comparison,
  { decision, deploys = false }: PlanOptions,
  theirs: { readonly updated: Made; readonly deleted: Made },
): Plan {
  const make = ({ state, candidates }: ComparedFile): Made => {
    switch (state) {
      case 'changed here':
        return updateWorkflow;
      case 'only here':
        return candidates.length === 0 ? createWorkflow : decide(decision, createWorkflow, none);
      case 'both changed':
        return decide(decision, updateWorkflow, theirs.updated);
      case 'deleted there':
        return decide(decision, createWorkflow, theirs.deleted);
      default:
        return none;
    }
  };
  const steps = comparison.files.map((compared): PlanStep => {
    const step = toStep(compared, make(compared), comparison);
    const isDue = step.changes === 'workflow' || (compared.state === 'same' && isToDeploy(compared.workflow));
    return { ...step, deploys: deploys && isDue, keepsMine: false };
  });
  return { ...rest(comparison), steps: inOrder(steps, comparison) };
}

/** A workflow that calls others is created and deployed after them. */
function inOrder(steps: readonly PlanStep[], { promised }: Comparison): readonly PlanStep[] {
  const byId = new Map(steps.map((step) => [step.compared.workflowId, step]));
  const byFile = new Map(steps.map((step) => [step.compared.file, step]));
  return calledFirst(steps, ({ compared: { here } }) =>
    (here === undefined ? [] : findCalled(here)).flatMap(({ workflowId }) => {
      const step = byFile.get(promised.get(workflowId) ?? '') ?? byId.get(workflowId);
      return step === undefined ? [] : [step];
    }),
  );
}

const rest = ({ environment, workflowIds, promised }: Comparison): Omit<Plan, 'steps'> => ({
  environment,
  workflowIds,
  promised,
});

function decide(decision: Decision | undefined, mine: Made, theirs: Made): Made {
  if (decision === undefined) return conflict;
  return decision === 'mine' ? mine : theirs;
}

/** A deployment of what is the same may still be due: the last push ended before it. */
function isToDeploy(workflow: Workflow | undefined): boolean {
  return workflow?.isDeployed === false || workflow?.hasUndeployedChanges === true;
}

function toStep(
  compared: ComparedFile,
  made: Made,
  { workflowIds, promised }: Comparison,
): Pick<PlanStep, 'compared' | 'difference' | 'needs'> & Made {
  const { here, there, problem } = compared;
  // What can't be read can't be sent.
  if (made.changes === 'workflow' && (here === undefined || problem !== undefined))
    return { compared, ...conflict };
  const after = made.changes === 'file' ? there && fileDefinition(compared, there) : here;
  const before = made.changes === 'file' ? here : there;
  const isUpdate = made.action === 'update' && before !== undefined && after !== undefined;
  return {
    compared,
    ...made,
    ...(isUpdate && { difference: findChanges(before, after) }),
    ...(made.changes === 'workflow' &&
      here !== undefined && {
        needs: newNeeds(here, there, (id) => promised.has(id) || workflowIds.includes(id)),
      }),
  };
}

/** What a file gets of the service's definition. Members that the service doesn't keep stay in a file that nobody changed. */
export function fileDefinition({ here, agreement, state }: ComparedFile, there: JsonObject): JsonObject {
  const base = agreedDefinition(agreement);
  if (here === undefined || state !== 'changed there' || base === undefined) return there;
  const { definition, collisions } = mergeDefinitions(base, here, there);
  return collisions.length === 0 ? definition : there;
}
