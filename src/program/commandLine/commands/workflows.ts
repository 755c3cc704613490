import { foldText } from '../../../domain/findText.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../base/format.ts';
import { toDefinition, toUpdate } from '../../../model/workflows/workflowDefinition.ts';
import { findWorkflow } from '../../findWorkflow.ts';
import type { OpenService } from '../../openService.ts';
import { type ExitCode, exitCodes, type Invocation, type Run } from '../command.ts';
import { UsageError } from '../given.ts';
import { readText, toObject } from '../readFiles.ts';

interface Found {
  readonly service: OpenService;
  readonly target: WorkflowTarget;
}

async function find({ given, openService, signal }: Invocation): Promise<Found> {
  const service = openService();
  const { connectionId } = service;
  const { id: workflowId } = await findWorkflow(service, given.at(0), signal);
  return { service, target: { connectionId, workflowId } };
}

export const listWorkflows: Run = async ({ given, openService, signal, terminal }) => {
  const { connectionId, workflows } = openService();
  const listed = await workflows.listWhole(connectionId, {
    signal,
    purpose: 'asked',
  });
  const search = foldText(given.text('search') ?? '');
  const shown = listed.filter(
    ({ name, isDeployed }) =>
      foldText(name).includes(search) && (isDeployed === true || !given.has('deployed')),
  );
  terminal.report(
    shown.map(({ id, name, isDeployed }) => ({ id, name, isDeployed })),
    () =>
      shown
        .map(({ id, name, isDeployed }) => {
          const state = isDeployed === true ? 'deployed' : 'not deployed';
          return [id, isDeployed === null ? '' : state, plainLine(name)].join('\t');
        })
        .join('\n'),
  );
  return exitCodes.done;
};

export const showWorkflow: Run = async ({ given, openService, signal, terminal }) => {
  const service = openService();
  const found = await findWorkflow(service, given.at(0), signal);
  const { connectionId } = service;
  const workflow = found.hasDefinition
    ? found
    : await service.workflows.read({ connectionId, workflowId: found.id }, signal);
  terminal.writeJson(toDefinition(workflow));
  return exitCodes.done;
};

export const createWorkflow: Run = async ({ given, openService, signal, terminal }) => {
  const { actions, connectionId } = openService();
  const definition = toObject(await readText(given.at(0), signal), 'The definition');
  const { id } = await actions.import(connectionId, definition, { signal });
  terminal.report({ workflowId: id }, () => id);
  return exitCodes.done;
};

export const updateWorkflow: Run = async (invocation) => {
  const definition = toObject(await readText(invocation.given.at(1), invocation.signal), 'The definition');
  const { service, target } = await find(invocation);
  const current = await service.workflows.read(target, invocation.signal);
  await service.actions.update(target, toUpdate(toDefinition(current), definition), invocation.signal);
  return reportId(invocation, target);
};

export const deleteWorkflow: Run = async (invocation) => {
  if (!invocation.given.has('yes'))
    throw new UsageError('Add --yes to delete the workflow: nothing brings it back.');
  const { service, target } = await find(invocation);
  await service.actions.delete(target, invocation.signal);
  return reportId(invocation, target);
};

export const duplicateWorkflow: Run = async (invocation) => {
  const { service, target } = await find(invocation);
  const { id: workflowId } = await service.actions.duplicate(
    target,
    invocation.given.text('name'),
    invocation.signal,
  );
  return reportId(invocation, { ...target, workflowId });
};

export const deployWorkflow: Run = async (invocation) => {
  const { service, target } = await find(invocation);
  const { isDeployed } = await service.actions.deploy(target, invocation.signal);
  return reportDeployment(invocation, target, isDeployed ?? true);
};

export const undeployWorkflow: Run = async (invocation) => {
  const { service, target } = await find(invocation);
  const { isDeployed } = await service.actions.undeploy(target, invocation.signal);
  return reportDeployment(invocation, target, isDeployed ?? false);
};

function reportId({ terminal }: Invocation, { workflowId }: WorkflowTarget): ExitCode {
  terminal.report({ workflowId }, () => workflowId);
  return exitCodes.done;
}

function reportDeployment(
  { terminal }: Invocation,
  { workflowId }: WorkflowTarget,
  isDeployed: boolean,
): ExitCode {
  terminal.report({ workflowId, isDeployed }, () => workflowId);
  return exitCodes.done;
}
