// A folder, and a service that is really one, as the engine sees both.
import { type JsonObject, parseJson, isJsonObject, stringifyJson } from '../../src/base/json.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { systemClock } from '../../src/base/time.ts';
import { toDefinition, toUpdate } from '../../src/model/workflows/workflowDefinition.ts';
import { carryOut } from '../../src/workflowFiles/carryOut.ts';
import type { StepResult } from '../../src/workflowFiles/steps.ts';
import { compareFolder, type Comparison } from '../../src/workflowFiles/compareFolder.ts';
import {
  type PlanOptions,
  planPromotion,
  planPull,
  planPush,
  type Plan,
} from '../../src/workflowFiles/plan.ts';
import { comparePromotion } from '../../src/workflowFiles/promote.ts';
import type { FilesService } from '../../src/workflowFiles/ports.ts';
import { readWorkflowsFile } from '../../src/workflowFiles/workflowsFile.ts';
import { openFolder, type OpenedFolder, openWorkflowsFile } from '../../src/workflowFiles/readFolder.ts';
import { Life, MemoryFolder } from '../support/memory/filesFolder.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { createServiceModel, type ServiceModel, type ServiceModelOptions } from '../support/serviceModel.ts';

const requestsPerMinute = 1_000_000;

export const definitionOf = (name: string, expression = 'input', more: JsonObject = {}): JsonObject => ({
  name,
  description: '',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'end', name: 'End', type: 'output', config: { expression } },
  ],
  edges: [{ source: 'start', target: 'end' }],
  settings: {},
  ...more,
});

/** Written by hand: in an order and a layout of its own. */
export const textOf = ({ name = '', ...rest }: JsonObject): string =>
  `${stringifyJson({ ...rest, name }, '\t').replaceAll('\n', '\r\n')}\r\n`;

export const nameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '');

/** A service with a client of its own. */
export interface Remote {
  readonly service: TestService;
  readonly model: ServiceModel;
  create(definition: JsonObject): Promise<string>;
  read(workflowId: string): Promise<JsonObject>;
  change(workflowId: string, definition: JsonObject): Promise<void>;
  delete(workflowId: string): Promise<void>;
  /** By name, sorted. */
  names(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export async function createRemote(options: Omit<ServiceModelOptions, 'budgets'> = {}): Promise<Remote> {
  const service = await createTestService({ requestsPerMinute });
  const model = await connect(service, options);
  const { connectionId, actions, workflows } = model;
  const read = async (workflowId: string) => toDefinition(await workflows.read({ connectionId, workflowId }));
  const all = () =>
    workflows.listWhole(connectionId, { limit: 10_000, signal: new AbortController().signal });
  return {
    service,
    model,
    read,
    create: async (definition) => (await actions.import(connectionId, definition)).id,
    change: async (workflowId, definition) => {
      await actions.update({ connectionId, workflowId }, toUpdate(await read(workflowId), definition));
    },
    delete: (workflowId) => actions.delete({ connectionId, workflowId }),
    names: async () => (await all()).map(({ name }) => name).sort(),
    dispose: () => {
      model.dispose();
      return service.dispose();
    },
  };
}

export function connect(
  service: TestService,
  options: Omit<ServiceModelOptions, 'budgets'> = {},
): Promise<ServiceModel> {
  const budgets = new Budgets({ clock: systemClock, requestsPerMinute });
  return createServiceModel(service, { budgets, ...options });
}

/** A client that ends with its process. What connects it isn't counted. */
export async function connectDuring(service: TestService, life: Life): Promise<ServiceModel> {
  let isConnected = false;
  const model = await connect(service, {
    through: (port) => {
      const counted = life.through(port);
      return (url, request) => (isConnected ? counted : port)(url, request);
    },
  });
  isConnected = true;
  return model;
}

export const workflowsText = (ids: Readonly<Record<string, string>> = {}, environment = 'test'): string =>
  `${stringifyJson(
    {
      environments: { [environment]: { url: 'http://127.0.0.1:4100/v1' } },
      workflows: Object.fromEntries(Object.entries(ids).map(([file, id]) => [file, { [environment]: id }])),
    },
    2,
  )}\n`;

/** A clone of a repository with files. */
export class Clone {
  readonly folder: MemoryFolder;
  readonly #service: FilesService;
  readonly #environment: string;

  constructor(
    service: FilesService,
    folder = new MemoryFolder([['workflows.json', workflowsText()]]),
    environment = 'test',
  ) {
    this.#service = service;
    this.folder = folder;
    this.#environment = environment;
  }

  async #open(): Promise<OpenedFolder> {
    const file = await openWorkflowsFile(this.folder);
    if (file === undefined) throw new Error('The folder has no workflows.json.');
    return openFolder(this.folder, file, this.#environment);
  }

  get #signal(): AbortSignal {
    return this.folder.life.signal;
  }

  async compare(): Promise<Comparison> {
    return compareFolder({ ...(await this.#open()), service: this.#service }, this.#signal);
  }

  /** The same files in another process. */
  restarted(service: FilesService, life = new Life()): Clone {
    return new Clone(service, this.folder.of(life), this.#environment);
  }

  /** By file. */
  async states(): Promise<Readonly<Record<string, string>>> {
    const { files } = await this.compare();
    return Object.fromEntries(files.map(({ file, state }) => [file, state]));
  }

  async plan(kind: 'pull' | 'push', options: PlanOptions = {}): Promise<Plan> {
    const comparison = await this.compare();
    return kind === 'pull' ? planPull(comparison, options) : planPush(comparison, options);
  }

  /** As it was planned, whatever has changed since. */
  async carryOut(plan: Plan): Promise<readonly StepResult[]> {
    return carryOut(plan, { ...(await this.#open()), service: this.#service }, this.#signal);
  }

  async #carryOut(kind: 'pull' | 'push', options: PlanOptions): Promise<readonly StepResult[]> {
    const opened = await this.#open();
    const comparison = await compareFolder({ ...opened, service: this.#service }, this.#signal);
    const plan = kind === 'pull' ? planPull(comparison, options) : planPush(comparison, options);
    return carryOut(plan, { ...opened, service: this.#service }, this.#signal);
  }

  pull(options: PlanOptions = {}): Promise<readonly StepResult[]> {
    return this.#carryOut('pull', options);
  }

  push(options: PlanOptions = {}): Promise<readonly StepResult[]> {
    return this.#carryOut('push', options);
  }

  text(file: string): string | undefined {
    return this.folder.files.get(file);
  }

  write(file: string, definition: JsonObject): void {
    this.folder.files.set(file, textOf(definition));
  }

  definition(file: string): JsonObject | undefined {
    const value = parseJson((this.text(file) ?? '').replace(/^\ufeff/, ''));
    return isJsonObject(value) ? value : undefined;
  }

  idOf(file: string, environment = this.#environment): string | undefined {
    const { workflows } = readWorkflowsFile(this.text('workflows.json') ?? '');
    return workflows.get(file)?.get(environment);
  }
}

/** One of the environments of a folder. */
interface Environment {
  readonly name: string;
  readonly service: FilesService;
}

/** Brings what one environment has to another. */
export async function promote(
  folder: MemoryFolder,
  { from, to }: { readonly from: Environment; readonly to: Environment },
  options: PlanOptions = {},
  files?: ReadonlySet<string>,
): Promise<{ readonly plan: Plan; readonly results: readonly StepResult[] }> {
  const { signal } = folder.life;
  const file = await openWorkflowsFile(folder);
  if (file === undefined) throw new Error('The folder has no workflows.json.');
  const open = async ({ name, service }: Environment) => ({
    opened: await openFolder(folder, file, name),
    service,
  });
  const target = await open(to);
  const { comparison } = await comparePromotion(await open(from), target, files, signal);
  const plan = planPromotion(comparison, options);
  return { plan, results: await carryOut(plan, { ...target.opened, service: to.service }, signal) };
}

/** What a plan says of each file, as "update workflow". */
export function actionsOf({ steps }: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(
    steps.map(({ compared, action, changes }) => [
      compared.file,
      [action, changes].filter(Boolean).join(' '),
    ]),
  );
}

export function kindsOf(results: readonly StepResult[]): readonly string[] {
  return results.map(({ kind }) => kind);
}
