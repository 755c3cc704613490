// What a definition shows of an execution is what the service has recorded: node by node, in every turn of every loop.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createClient } from '../../src/api/client.ts';
import { Budgets } from '../../src/api/budget/budgets.ts';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/time.ts';
import { plainLine } from '../../src/base/format.ts';
import { noChanges } from '../../src/ui/changedNodes.ts';
import { findUnreached, renderLineEnds } from '../../src/features/definitions/shownExecution/renderInline.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { type ShownExecution, ShownExecutionSource } from '../../src/model/selection/shownExecution.ts';
import { formatDuration } from '../../src/words/time.ts';
import { runToEnd } from '../service/calls.ts';
import { createAppPort } from '../support/appPort.ts';
import { HandClock } from '../support/memory/ports.ts';
import { createWorld, type World } from '../support/memory/world.ts';
import { tries } from '../support/properties.ts';
import { createTestService, type TestService } from '../support/service.ts';

type Step =
  | { readonly kind: 'log' | 'fail' | 'boom' }
  | { readonly kind: 'loop'; readonly items: number; readonly body: readonly Step[] }
  | { readonly kind: 'branch'; readonly isTaken: boolean; readonly then: readonly Step[] };

const { steps } = fc.letrec<{ steps: readonly Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie('step'), { minLength: 1, maxLength: 3, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'steps' },
    fc.record({ kind: fc.constantFrom('log', 'log', 'log', 'log', 'boom', 'fail' as const) }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('loop' as const),
        items: fc.constantFrom(3, 2, 2, 1, 0),
        body: tie('steps'),
      }),
    },
    fc.record({ kind: fc.constant('branch' as const), isTaken: fc.boolean(), then: tie('steps') }),
  ),
}));

interface Made {
  readonly nodes: JsonObject[];
  readonly edges: JsonObject[];
  /** The ids of the loops around each node, outermost first. */
  readonly loops: Map<string, readonly string[]>;
}

const configs = {
  log: { type: 'log', config: { message: 'Said {{ index }}' } },
  fail: { type: 'fail', config: { message: 'No more.' } },
  boom: {
    type: 'transform',
    config: { expression: "index = 1 ? $error('Boom') : 'fine'" },
    retry: { maximumAttempts: 2, initialDelayMs: 1 },
  },
} as const;

/** Adds the steps one after the other behind a node. */
function add(
  made: Made,
  all: readonly Step[],
  source: string,
  branch: string | null,
  loops: readonly string[],
): void {
  let [before, by] = [source, branch];
  for (const step of all) {
    const id = `n${made.nodes.length}`;
    made.loops.set(id, loops);
    made.edges.push({ source: before, target: id, ...(by === null ? {} : { branch: by }) });
    [before, by] = [id, null];
    switch (step.kind) {
      case 'loop':
        made.nodes.push({ id, type: 'forEach', config: { items: `[1..${step.items}]` } });
        add(made, step.body, id, 'each', [...loops, id]);
        by = 'done';
        break;
      case 'branch':
        made.nodes.push({ id, type: 'condition', config: { expression: String(step.isTaken) } });
        add(made, step.then, id, 'true', loops);
        by = 'false';
        break;
      default:
        made.nodes.push({ id, ...configs[step.kind] });
    }
  }
}

function make(all: readonly Step[]): Made {
  const made: Made = {
    nodes: [{ id: 'start', type: 'trigger' }],
    edges: [],
    loops: new Map([['start', []]]),
  };
  add(made, all, 'start', null, []);
  return made;
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const iterationOf = ({ iteration }: JsonObject): readonly number[] =>
  Array.isArray(iteration) ? iteration.map(Number) : [];
const startsWith = <T>(all: readonly T[], first: readonly T[]): boolean =>
  first.every((each, at) => each === all[at]);

const marks: Readonly<Record<string, string>> = { completed: '✓', failed: '✗', skipped: '»' };

/** What the rows say of one run, told plainly. */
function tell(rows: readonly JsonObject[]): string {
  const attempt = Math.max(...rows.map((row) => Number(row['attempt'])));
  const own = rows.filter((row) => row['attempt'] === attempt);
  const last = own.at(-1) ?? {};
  const state = textOf(last['status']);
  const lines = own
    .map(({ message }) => textOf(message))
    .filter((each) => !/^node (started|completed)$/.test(each));
  const line = lines.at(-1)?.replace('Skipped: ', '');
  const duration = state === 'skipped' ? undefined : formatDuration(Number(last['durationMs']));
  const words = [`${marks[state] ?? ''} ${state}`, duration, line];
  return plainLine(words.filter((each) => each !== undefined).join(' · '), 100);
}

/** The place that is shown, as far as the loops around a node have so many turns; undefined in a loop without turns. */
function placeOf(made: Made, rows: readonly JsonObject[], nodeId: string, wanted: readonly number[]) {
  const loops = made.loops.get(nodeId) ?? [];
  const place: number[] = [];
  for (const [depth] of loops.entries()) {
    const path = loops.slice(0, depth + 1);
    const turns = rows
      .filter((row) => startsWith(made.loops.get(textOf(row['nodeId'])) ?? [], path))
      .map(iterationOf)
      .filter((iteration) => iteration.length > depth && startsWith(iteration, place))
      .map((iteration) => iteration[depth] ?? 0);
    if (turns.length === 0) return undefined;
    place.push(Math.min(wanted[depth] ?? 0, Math.max(...turns)));
  }
  return place;
}

function expectedOf(made: Made, rows: readonly JsonObject[], wanted: readonly number[]): readonly string[] {
  return made.nodes.map(({ id }) => {
    const nodeId = textOf(id);
    const own = rows.filter((row) => row['nodeId'] === nodeId);
    const place = placeOf(made, rows, nodeId, wanted);
    const inPlace = own.filter((row) => {
      const iteration = iterationOf(row);
      return iteration.length === place?.length && startsWith(iteration, place);
    });
    if (inPlace.length > 0) return `${nodeId} ${tell(inPlace)}`;
    return `${nodeId} » ${own.length === 0 ? 'not reached' : 'not reached in this iteration'}`;
  });
}

/** Of three loops in each other with three turns at most: which turn of each. */
const everyTurn = [0, 1, 2].flatMap((outer) =>
  [0, 1, 2].flatMap((middle) => [0, 1, 2].map((inner) => [outer, middle, inner])),
);

describe('What a definition shows of an execution', () => {
  let service: TestService;
  let world: World;
  let connectionId: string;

  before(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000 });
    const http = createAppPort(service.app);
    world = createWorld({
      clock: new HandClock(),
      createClient: ({ baseUrl }, key) =>
        createClient({
          http: () => Promise.resolve(http),
          baseUrl,
          key,
          keyPrefix: () => 'svc_sk_',
          budgets: new Budgets({ clock: systemClock, requestsPerMinute: 1_000_000 }),
          logger: silentLogger,
        }),
    });
    const added = { name: 'Local', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: service.key };
    connectionId = (await world.connections.add(added, { verify: 'never' })).id;
  });
  after(async () => {
    world.following.dispose();
    await service.dispose();
  });

  /** Resolves with the latest execution once all its node runs are known. */
  async function read(workflowId: string): Promise<Extract<ShownExecution, { kind: 'execution' }>> {
    const whole = Promise.withResolvers<Extract<ShownExecution, { kind: 'execution' }>>();
    const target = { connectionId, workflowId };
    const source = new ShownExecutionSource({ ...world, logger: silentLogger }, target, 'definition');
    source.shown.onDidChange((shown) => {
      if (shown.kind === 'execution' && shown.isWhole) whole.resolve(shown);
    });
    try {
      return await whole.promise;
    } finally {
      source.dispose();
    }
  }

  it('is what the service has recorded, in every turn', async () => {
    const seen = { failed: 0, skipped: 0, turns: 0, nested: 0, unreached: 0 };
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const made = make(all);
        const definition = { name: 'Random', nodes: made.nodes, edges: made.edges };
        const { workflowId, rows: streamed } = await runToEnd(service, definition);
        const rows = streamed.filter(({ nodeId }) => typeof nodeId === 'string');
        const shown = await read(workflowId);
        const positions = [...DefinitionText.of(definition).byId.values()];
        const keys = [...shown.runTree.select(new Map()).values()].flatMap(({ loops }) =>
          loops.map(({ key }, depth) => ({ key, depth })),
        );
        assert.ok(keys.every(({ depth }) => depth < 3));
        for (const wanted of everyTurn) {
          const turns = new Map(keys.map(({ key, depth }) => [key, wanted[depth] ?? 0]));
          const nodes = shown.runTree.select(turns);
          const facts = {
            shown: { ...shown, turns },
            positions,
            nodes,
            changes: noChanges,
          };
          const expected = expectedOf(made, rows, wanted);
          const named = shown.execution.error?.nodeId;
          assert.deepEqual(
            renderLineEnds(facts).map(({ nodeId, text }) => `${nodeId} ${text}`),
            expected.filter((line) => !(line.includes(' not reached') && line.startsWith(`${named ?? ''} `))),
          );
          const dim = expected.filter((line) => line.includes(' » ') && !line.startsWith(`${named ?? ''} `));
          assert.equal(findUnreached(facts).length, dim.length);
          seen.failed += expected.filter((line) => line.includes('✗')).length;
          seen.skipped += expected.filter((line) => line.includes('» skipped')).length;
          seen.unreached += expected.filter((line) => line.includes('» not')).length;
          seen.turns += [...nodes.values()].filter(({ loops }) => (loops[0]?.index ?? 0) > 0).length;
          seen.nested += [...nodes.values()].filter(({ loops }) => (loops[1]?.index ?? 0) > 0).length;
        }
      }),
      tries(40),
    );
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 5, `${what}: ${count}`);
  });
});
