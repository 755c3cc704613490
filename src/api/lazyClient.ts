// A client that costs nothing until something is asked of it: the real one is loaded with the first call.
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { ObservableValue } from '../base/observable.ts';
import { once } from '../base/once.ts';
import { limits, type OperationName } from '../protocol/operations.ts';
import type {
  ExecutionCalls,
  PortalEventCalls,
  ServiceClient,
  SettingsClient,
  WorkflowCalls,
} from './client.ts';
import type { ClientDeps } from './createClient.ts';
import type { SettingsClientDeps } from './settingsClient.ts';
import type { BudgetState, BudgetUsage, ObservedBudget, Purpose } from '../domain/budget.ts';

type Loader<T> = () => Promise<T>;

function lazyWorkflows(load: Loader<WorkflowCalls>): WorkflowCalls {
  return {
    list: async (...call) => (await load()).list(...call),
    get: async (...call) => (await load()).get(...call),
    getOne: async (...call) => (await load()).getOne(...call),
    create: async (...call) => (await load()).create(...call),
    update: async (...call) => (await load()).update(...call),
    delete: async (...call) => (await load()).delete(...call),
    import: async (...call) => (await load()).import(...call),
    duplicate: async (...call) => (await load()).duplicate(...call),
    deploy: async (...call) => (await load()).deploy(...call),
    undeploy: async (...call) => (await load()).undeploy(...call),
    execute: async (...call) => (await load()).execute(...call),
  };
}

function lazyExecutions(load: Loader<ExecutionCalls>): ExecutionCalls {
  return {
    list: async (...call) => (await load()).list(...call),
    get: async (...call) => (await load()).get(...call),
    output: async (...call) => (await load()).output(...call),
    logs: async (...call) => (await load()).logs(...call),
    getNodeLog: async (...call) => (await load()).getNodeLog(...call),
    follow: async function* (...call) {
      yield* (await load()).follow(...call);
    },
  };
}

function lazyPortalEvents(load: Loader<PortalEventCalls>): PortalEventCalls {
  return {
    list: async (...call) => (await load()).list(...call),
    stream: async function* (...call) {
      yield* (await load()).stream(...call);
    },
    send: async (...call) => (await load()).send(...call),
  };
}

/** Loads with the first call; what is asked for after the end is disposed of as soon as it is there. */
function onceOwned<T extends Disposable>(owned: DisposableStore, create: Loader<T>): Loader<T> {
  return once(async () => owned.add(await create()));
}

const { requestsPerMinute } = limits;
const unused = { limit: requestsPerMinute, remaining: requestsPerMinute, pausedUntil: null };

/** Nothing has left until the client is there. */
class LazyBudget implements ObservedBudget, Disposable {
  readonly #changes = new Emitter<BudgetState>();
  readonly onDidChange = this.#changes.event;
  #budget: ObservedBudget | undefined;

  get current(): BudgetState {
    return this.#budget?.current ?? unused;
  }

  usage(): BudgetUsage {
    return this.#budget?.usage() ?? { ...unused, purposes: {}, otherWindows: 0, otherClients: 0 };
  }

  waitMs(purpose: Purpose): number {
    return this.#budget?.waitMs(purpose) ?? 0;
  }

  use(budget: ObservedBudget): Disposable {
    this.#budget = budget;
    return budget.onDidChange((state) => this.#changes.fire(state));
  }

  dispose(): void {
    this.#changes.dispose();
  }
}

/** A client of one connection. */
export function createLazyClient(deps: ClientDeps): ServiceClient {
  const owned = new DisposableStore();
  const budget = owned.add(new LazyBudget());
  const notOffered = owned.add(new ObservableValue<ReadonlySet<OperationName>>(new Set()));
  const load = onceOwned(owned, async () => {
    const client = (await import('./createClient.ts')).createClient(deps);
    owned.add(budget.use(client.budget));
    owned.add(client.notOffered.onDidChange((names) => notOffered.set(names)));
    return client;
  });
  return Object.freeze({
    workflows: lazyWorkflows(async () => (await load()).workflows),
    executions: lazyExecutions(async () => (await load()).executions),
    portalEvents: lazyPortalEvents(async () => (await load()).portalEvents),
    budget,
    notOffered,
    dispose: () => owned.dispose(),
  });
}

/** A client of the local service's settings surface. */
export function createLazySettingsClient(deps: SettingsClientDeps): SettingsClient & Disposable {
  const owned = new DisposableStore();
  const load = onceOwned(owned, async () => (await import('./settingsClient.ts')).createSettingsClient(deps));
  return Object.freeze({
    listKeys: async (options) => (await load()).listKeys(options),
    createKey: async (...call) => (await load()).createKey(...call),
    revokeKey: async (...call) => (await load()).revokeKey(...call),
    dispose: () => owned.dispose(),
  } satisfies SettingsClient & Disposable);
}
