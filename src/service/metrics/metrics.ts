// The figures of one process of a team (media/guide/team.md). It's loaded by import(), so that a process without --metrics starts without it.
import type { Disposable } from '../../base/disposable.ts';
import type { SandboxUse } from '../sandbox/pool.ts';
import type { PoolUse } from '../store/postgres/postgresDatabase.ts';
import type { StoredEvents, UnfinishedCounts } from '../store/postgres/postgresStore.ts';
import { EngineFigures, secondsSince } from './engineFigures.ts';
import { type Family, gauge, renderFamilies, single } from './families.ts';
import { ProcessFigures } from './processFigures.ts';
import { RequestFigures } from './requestFigures.ts';

/** Read from the database. */
export interface DatabaseFigures {
  readonly unfinished: UnfinishedCounts;
  /** Since when the oldest queued execution has waited, in epoch milliseconds; null when none waits. */
  readonly queuedSince: number | null;
  readonly events: StoredEvents;
  /** How many ended executions aren't in the index of the search. */
  readonly unsearched: number;
}

/** Read for each scrape. */
export interface Readings {
  readonly pool: PoolUse;
  readonly sandbox: SandboxUse;
  readonly openResponses: number;
  /** undefined when the database doesn't respond. */
  readonly database: DatabaseFigures | undefined;
}

export class Metrics implements Disposable {
  readonly requests = new RequestFigures();
  readonly engine = new EngineFigures();
  readonly #process = new ProcessFigures();

  /** Returns the text for Prometheus. */
  render({ pool, sandbox, openResponses, database }: Readings): string {
    return renderFamilies([
      single(
        'gauge',
        'workflow_automation_database_up',
        '1 if the database responds within 2 seconds, else 0.',
        database ? 1 : 0,
      ),
      ...(database ? executionFamilies(database) : []),
      ...(database ? eventFamilies(database.events) : []),
      ...(database ? searchFamilies(database.unsearched) : []),
      ...poolFamilies(pool),
      ...sandboxFamilies(sandbox),
      ...this.engine.families(),
      single(
        'gauge',
        'workflow_automation_open_answers',
        "Responses that clients haven't read yet, without streams.",
        openResponses,
      ),
      ...this.requests.families(),
      ...this.#process.families(),
    ]);
  }

  dispose(): void {
    this.#process.dispose();
  }
}

function executionFamilies({ queuedSince, unfinished }: DatabaseFigures): readonly Family[] {
  return [
    gauge(
      'workflow_automation_executions',
      'Unfinished executions of the whole service, by status.',
      'status',
      unfinished,
    ),
    single(
      'gauge',
      'workflow_automation_queue_age_seconds',
      'Age of the oldest queued execution; 0 if none is queued.',
      queuedSince === null ? 0 : secondsSince(queuedSince),
    ),
  ];
}

function sandboxFamilies({ expressions, checks, refused }: SandboxUse): readonly Family[] {
  const name = 'workflow_automation_expressions';
  return [
    gauge(`${name}_waiting`, 'Expressions and checks of definitions that wait for a thread.', 'kind', {
      expression: expressions,
      check: checks,
    }),
    single(
      'counter',
      `${name}_refused_total`,
      'Expressions and checks of definitions refused because too many were waiting.',
      refused,
    ),
  ];
}

function eventFamilies({ count, bytes }: StoredEvents): readonly Family[] {
  const name = 'workflow_automation_portal_event';
  return [
    single('gauge', `${name}s`, 'Stored portal events.', count),
    single('gauge', `${name}_bytes`, 'Size of the data of the stored portal events.', bytes),
  ];
}

function searchFamilies(unsearched: number): readonly Family[] {
  return [
    single(
      'gauge',
      'workflow_automation_search_waiting',
      'Ended executions that are not in the index of the search.',
      unsearched,
    ),
  ];
}

function poolFamilies({ maximum, inUse, waiting }: PoolUse): readonly Family[] {
  const name = 'workflow_automation_database';
  return [
    single('gauge', `${name}_connections_maximum`, 'Maximum number of connections of the store.', maximum),
    single('gauge', `${name}_connections_in_use`, 'Connections that the store is using.', inUse),
    single('gauge', `${name}_waiting`, 'Statements and transactions that wait for a connection.', waiting),
  ];
}
