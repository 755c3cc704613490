// Data of the version before are opened by this one: nothing is lost, and what was under way goes on to its end.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, callSettings, execute, follow, listAt, textAt } from '../calls.ts';
import { fillIndex, idsOf } from '../searching.ts';
import { createDataFolder, removeDataFolder, runProgram } from './program.ts';

const fixture = new URL('../fixtures/version1/', import.meta.url);

/** A folder with the fixture's data. */
async function createEarlierFolder(): Promise<string> {
  const dataFolder = await createDataFolder();
  const packed = await readFile(new URL('service.db.gz', fixture));
  await writeFile(databasePath(dataFolder), await promisify(gunzip)(packed));
  return dataFolder;
}

/** The recorded expression takes most of a second, which is its limit. */
const sandbox = { deadlineMs: 30_000 };

/** What executions have gained since. */
const notKnownThen = { kind: 'deployed', retryOf: null, basedOn: null, cancelRequested: false };

describe('Data of the version before', () => {
  let dataFolder = '';
  let service: TestService;
  let expected: JsonObject;

  before(async () => {
    const parsed = parseJson(await readFile(new URL('expected.json', fixture), 'utf8'));
    assert.ok(isJsonObject(parsed));
    expected = parsed;
    dataFolder = await createEarlierFolder();
    service = await createTestService({ path: databasePath(dataFolder), requestsPerMinute: 10_000, sandbox });
  });
  after(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  const idOf = (name: string): string => textAt(expected, 'executions', name);
  const get = async (path: string): Promise<JsonObject> => (await call(service, 'GET', path)).body;
  const readRows = async (id: string): Promise<readonly JsonObject[]> =>
    listAt(await get(`/v1/executions/${id}/logs?limit=100`), 'data');
  const readEvents = async (): Promise<readonly JsonObject[]> => {
    const events: JsonObject[] = [];
    for (let path = '/v1/portal/events?limit=100'; ;) {
      const page = await get(path);
      events.push(...listAt(page, 'data'));
      if (page['nextCursor'] === null) return events;
      path = `/v1/portal/events?limit=100&cursor=${encodeURIComponent(textAt(page, 'nextCursor'))}`;
    }
  };
  const output = async (name: string): Promise<readonly (JsonValue | undefined)[]> => {
    const { status, output: value } = await get(`/v1/executions/${idOf(name)}/output`);
    return [status, value];
  };

  it('has its workflows, drafts and deployed versions', async () => {
    const workflows = listAt(expected, 'workflows');
    const listed = listAt(await get('/v1/workflows?limit=100'), 'data');
    assert.deepEqual(
      listed.map(({ id }) => id),
      workflows.map(({ id }) => id),
    );
    for (const workflow of workflows)
      assert.deepEqual(await get(`/v1/workflows/${textAt(workflow, 'id')}`), workflow);
    const greeting = textAt(expected, 'deployed');
    const id = await execute(service, greeting, { name: 'Ada' });
    await follow(service, id);
    const { output: said } = await get(`/v1/executions/${id}/output`);
    assert.equal(said, 'Hi Ada', 'the deployed version runs, not the draft');
  });

  it('has its executions with inputs, errors, outputs and logs, those of a deleted workflow too', async () => {
    const ended = listAt(expected, 'details').filter(({ completedAt }) => completedAt !== null);
    assert.equal(ended.length, 7);
    const outputs = new Map(listAt(expected, 'outputs').map((one) => [textAt(one, 'executionId'), one]));
    const listed = new Set(listAt(await get('/v1/executions?limit=100'), 'data').map(({ id }) => id));
    for (const details of ended) {
      const id = textAt(details, 'id');
      assert.ok(listed.has(id), id);
      assert.deepEqual(await get(`/v1/executions/${id}`), { ...details, ...notKnownThen });
      assert.deepEqual(await get(`/v1/executions/${id}/output`), outputs.get(id));
      assert.deepEqual(await readRows(id), listAt(expected, 'logs', id));
    }
    const deleted = textAt(await get(`/v1/executions/${idOf('deletedWorkflow')}`), 'workflowId');
    assertRefused(await call(service, 'GET', `/v1/workflows/${deleted}`), 404, 'workflow_not_found');
  });

  it('reports that the definitions of its executions were not stored then', async () => {
    const { status, text } = await call(service, 'GET', `/v1/executions/${idOf('completed')}/definition`);
    assert.deepEqual([status, at(parseJson(text), 'error', 'code')], [404, 'definition_not_kept']);
  });

  it('finds its executions by their start', async () => {
    const details = listAt(expected, 'details').filter(({ startedAt }) => startedAt !== null);
    const times = details.map((each) => textAt(each, 'startedAt')).sort();
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const known = new Set(details.map(({ id }) => id));
    const listed = listAt(await get(`/v1/executions?limit=100&startedBefore=${middle}`), 'data');
    assert.deepEqual(
      listed.map(({ id }) => id).filter((id) => known.has(id)),
      details
        .filter((each) => textAt(each, 'startedAt') < middle)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  it('finds its executions by their values, before and after these are in the index', async () => {
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await idsOf(service, { q: 'zoë 🚀' }), [idOf('completed')]);
      assert.deepEqual(await idsOf(service, { q: 'bye grace' }), [idOf('deletedWorkflow')]);
      assert.deepEqual(await idsOf(service, { q: 'is not an e-mail' }), [idOf('failed')]);
      assert.deepEqual(await idsOf(service, { q: '4711' }), [idOf('waiting')]);
      await fillIndex(service.store);
    }
  });

  it('has its portal events, each once and in their order', async () => {
    const wanted = listAt(expected, 'events');
    const known = new Set(wanted.map(({ id }) => id));
    const events = (await readEvents()).filter(({ id }) => known.has(id));
    assert.deepEqual(
      events.map(({ id, type }) => [id, type]),
      wanted.map(({ id, type }) => [id, type]),
    );
    const whole = new Map(events.map((event) => [event['id'], event]));
    for (const event of wanted.filter(({ data }) => data !== undefined))
      assert.deepEqual(whole.get(event['id']), event);
  });

  it('has its API keys, the revoked one still revoked', async () => {
    const { body } = await callSettings(service, 'GET', '/settings/api-keys');
    const keys = new Map(listAt(body, 'data').map((key) => [key['id'], key]));
    const wanted = listAt(expected, 'keys');
    for (const key of wanted) assert.deepEqual(keys.get(key['id']), key);
    assert.equal(wanted.filter(({ revokedAt }) => revokedAt !== null).length, 1);
  });

  it('continues an execution that waited, and repeats nothing', async () => {
    const rows = await follow(service, idOf('waiting'));
    assertGoesOn(rows, listAt(expected, 'logs', idOf('waiting')));
    assert.deepEqual(await output('waiting'), ['completed', 'portal.before portal.after 4711']);
    assert.deepEqual(await publishedBy('waiting'), ['portal.after', 'portal.before']);
  });

  it('continues an execution that waited in an iteration of a loop, and repeats no iteration', async () => {
    const rows = await follow(service, idOf('waitingInLoop'));
    assertGoesOn(rows, listAt(expected, 'logs', idOf('waitingInLoop')));
    const turns = [0, 1, 2, 3, 4].map((index) => `portal.turn ${index}`);
    assert.deepEqual(await output('waitingInLoop'), ['completed', turns]);
    assert.deepEqual(
      await publishedBy('waitingInLoop'),
      turns.map(() => 'portal.turn'),
    );
  });

  it('continues an execution that was under way, and logs the interrupted attempt', async () => {
    const rows = await follow(service, idOf('underWay'));
    assert.deepEqual(await output('underWay'), ['completed', { sum: 3_600_060_000, first: 'portal.first' }]);
    assert.deepEqual(await publishedBy('underWay'), ['portal.first']);
    assert.deepEqual(
      rows
        .filter(({ nodeId, completedAt }) => nodeId === 'think' && completedAt !== null)
        .map((row) => [row['attempt'], row['status'], at(row, 'error', 'code')]),
      [
        [1, 'failed', 'interrupted'],
        [2, 'completed', undefined],
      ],
    );
  });

  it('reads the same when it is opened once more', async () => {
    const paths = ['/v1/workflows?limit=100', '/v1/executions?limit=100', '/v1/portal/events?limit=100'];
    const first = await Promise.all(paths.map(get));
    await service.dispose();
    service = await createTestService({ path: databasePath(dataFolder), requestsPerMinute: 10_000, sandbox });
    assert.deepEqual(await Promise.all(paths.map(get)), first);
  });

  /** The types of the portal events that the execution's nodes published, newest first. */
  async function publishedBy(name: string): Promise<readonly string[]> {
    return (await readEvents())
      .filter((event) => at(event, 'data', 'executionId') === idOf(name))
      .map((event) => textAt(event, 'type'))
      .filter((type) => type.startsWith('portal.'));
  }
});

/** What was logged before stands as it was; what follows has no gap and no second attempt. */
function assertGoesOn(rows: readonly JsonObject[], earlier: readonly JsonObject[]): void {
  assert.deepEqual(rows.slice(0, earlier.length), earlier);
  assert.ok(rows.length > earlier.length);
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_row, index) => index + 1),
  );
  assert.deepEqual(new Set(rows.map(({ attempt }) => attempt)), new Set([1]));
}

describe('Data of a newer version', () => {
  for (const words of ['serve --port 0', 'keys list'])
    it(`are left alone by "${words}", which reports in a sentence what to do`, async () => {
      const dataFolder = await createEarlierFolder();
      const path = databasePath(dataFolder);
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 1000');
      database.close();
      const before = await readFile(path);
      const { code, stdout, stderr } = await runProgram(...words.split(' '), '--data', dataFolder);
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(stderr.includes(dataFolder), stderr);
      assert.match(
        stderr,
        /^The data in .+ was written by a newer version of the service; update this one, .+\.\n$/,
      );
      // Switching the journal's mode is written down in the file's head; its pages are as they were.
      assert.deepEqual((await readFile(path)).subarray(100), before.subarray(100));
      await removeDataFolder(dataFolder);
    });
});
