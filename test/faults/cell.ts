// One fault under one operation, with the real client over real sockets: what came of it, what was sent, what it left.
import { isServiceError } from '../../src/domain/errors.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { SettingsClient } from '../../src/api/settingsClient.ts';
import { operations } from '../../src/protocol/operations.ts';
import { describeError } from '../../src/ui/words/describeError.ts';
import type { Fault } from './answers.ts';
import { openFaultyWorld } from './faultyWorld.ts';
import type { FaultedOperation } from './operations.ts';

export interface Cell {
  /** What a person is told, or "done". */
  readonly outcome: string;
  /** Method and path of each request that a service took, with its body. */
  readonly sent: readonly string[];
  /** What must not be; empty where all is well. */
  readonly broken: readonly string[];
}

/** The user says that the service has what it doesn't tell of. */
const { cancelExecution, retryExecution, executeDraft } = operations;
const offered = { cancelExecution, retryExecution, executeDraft };

/** Brings the fault about, runs the operation, heals the service and asks it once more. */
export async function tryCell(fault: Fault, operation: FaultedOperation): Promise<Cell> {
  await using world = await openFaultyWorld(fault);
  const { baseUrl, clock, http, key, sent } = world;
  const broken: string[] = [];
  const texts: string[] = [];
  const write = (message: string): void => {
    texts.push(message);
  };
  const client = createClient({
    http: () => Promise.resolve(http),
    baseUrl,
    key: () => Promise.resolve(key),
    keyPrefix: () => 'svc_sk_',
    budgets: new Budgets({ clock }),
    logger: { debug: write, info: write, warn: write, error: write },
    clock,
    overrides: () => offered,
  });
  const { origin } = new URL(baseUrl);
  const settings = new SettingsClient({
    http: () => Promise.resolve(http),
    origin,
    sessionToken: key,
    clock,
  });
  using stack = new DisposableStack();
  stack.defer(() => client.dispose());
  stack.defer(() => settings.dispose());

  const ending = new AbortController();
  let outcome = 'done';
  try {
    await operation.run({ client, settings }, ending.signal);
  } catch (error) {
    outcome = isServiceError(error)
      ? describeError(error, clock.now()).message
      : `not typed: ${String(error)}`;
    if (!isServiceError(error)) broken.push(outcome);
    texts.push(outcome, JSON.stringify(error));
  }
  ending.abort();
  broken.push(...world.findBroken(texts));

  world.heal();
  await client.workflows.list({}).catch((error: unknown) => {
    broken.push(`not usable afterwards: ${String(error)}`);
  });
  return { outcome, sent, broken };
}
