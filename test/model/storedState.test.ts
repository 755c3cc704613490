// What an earlier version remembered is read back, and a record that can't be read costs that record only.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { ConnectionRecords } from '../../src/model/connections/connectionRecords.ts';
import { InputDrafts } from '../../src/model/inputs/inputDrafts.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { PresetChoices } from '../../src/model/inputs/presetChoices.ts';
import { SeenEvents } from '../../src/model/portalEvents/seenEvents.ts';
import { HandClock, MemoryRecords, MemoryState } from '../support/memory/ports.ts';

const orders = { connectionId: 'local', workflowId: 'wf_1' };
const answers = { connectionId: 'c2', workflowId: 'a "quoted" id' };
/** What no schema takes. */
const damaged: readonly JsonValue[] = [null, 5, 'text', [], {}, { connectionId: 7, id: '', fileUri: false }];

function readFixture(name: string): JsonObject {
  const path = new URL(`fixtures/version1/${name}.json`, import.meta.url);
  const stored = parseJson(readFileSync(path, 'utf8'));
  assert.ok(isJsonObject(stored));
  return stored;
}

/** A state that holds the fixture's entries, each as the change makes it. */
async function stateOf(
  name: string,
  change: (value: JsonValue) => JsonValue = (value) => value,
): Promise<MemoryState> {
  const state = new MemoryState();
  for (const [key, value] of Object.entries(readFixture(name))) await state.set(key, change(value));
  return state;
}

/** Everything that is remembered, as those who remember it read it. */
function readAll(globalState: MemoryState, workspaceState: MemoryState) {
  const clock = new HandClock();
  const records = new ConnectionRecords({ records: new MemoryRecords(), globalState, workspaceState });
  const history = new InputHistory(globalState, clock, () => 'svc_sk_');
  const drafts = new InputDrafts(globalState, () => 'svc_sk_');
  const presets = new PresetChoices(globalState);
  const seen = new SeenEvents(globalState, clock);
  const all = {
    connections: records.all.current.map(({ id, name, baseUrl }) => [id, name, baseUrl]),
    active: records.active.current,
    history: [orders, answers].map((target) => history.read(target)),
    drafts: [orders, answers].map((target) => drafts.read(target)),
    presets: ['first', 'second'].map(
      (name) => presets.find(`file:///project/inputs/${name}.workflow-input.json`)?.workflowName,
    ),
    seen: ['local', 'c2'].map((connectionId) => seen.get(connectionId)),
  };
  for (const part of [records, history, presets, seen]) part.dispose();
  return all;
}

const expected = {
  connections: [
    ['local', 'Local Service', 'http://127.0.0.1:52011/v1'],
    ['c2', 'Büro 🏢', 'https://workflows.example.com/api/v1'],
    ['c3', 'Staging', 'https://staging.example.com/v1'],
  ],
  active: {
    id: 'c2',
    name: 'Büro 🏢',
    kind: 'remote',
    baseUrl: 'https://workflows.example.com/api/v1',
    expiration: '90d',
    keySetAt: '2025-11-01T08:00:00.000Z',
    settingsUrl: 'https://workflows.example.com/settings/keys',
  },
  history: [
    [
      { input: { order: 2, lines: [{ product: 'Pen' }] }, usedAt: 1_763_802_002_000, hasMaskedKey: false },
      { input: { order: 1 }, usedAt: 1_763_802_001_000, hasMaskedKey: false },
    ],
    [{ input: { text: 'Grüße 🚀' }, usedAt: 1_763_802_003_000, hasMaskedKey: false }],
  ],
  drafts: ['{\n  // not finished\n  "order": 3', '{\n  "text": "Grüße 🚀"\n}\n'],
  presets: ['Order totals', 'Answers'],
  seen: [
    { connectionId: 'local', key: 'evt_7', time: 1_763_801_940_000 },
    { connectionId: 'c2', key: '', time: null },
  ],
};

describe('Stored state', () => {
  it('of the version before is read back whole', async () => {
    assert.deepEqual(readAll(await stateOf('globalState'), await stateOf('workspaceState')), expected);
  });

  it('loses nothing but a damaged record, wherever in a list it stands', async () => {
    const spoilt = await stateOf('globalState', (value) =>
      Array.isArray(value) ? [...damaged, ...value.flatMap((item: JsonValue) => [item, ...damaged])] : value,
    );
    assert.deepEqual(readAll(spoilt, await stateOf('workspaceState')), expected);
  });

  for (const value of damaged)
    it(`is as new where each entry is ${JSON.stringify(value)}`, async () => {
      const [globalState, workspaceState] = await Promise.all(
        ['globalState', 'workspaceState'].map((name) => stateOf(name, () => value)),
      );
      assert.ok(globalState && workspaceState);
      assert.deepEqual(readAll(globalState, workspaceState), {
        connections: [],
        active: null,
        history: [[], []],
        drafts: [undefined, undefined],
        presets: [undefined, undefined],
        seen: [undefined, undefined],
      });
    });

  it('keeps the others when something is added beside a damaged record', async () => {
    const state = await stateOf('globalState', (value) =>
      Array.isArray(value) ? [null, ...(value as readonly JsonValue[])] : value,
    );
    const presets = new PresetChoices(state);
    await presets.remember({ fileUri: 'file:///third.json', ...orders, workflowName: 'Third' });
    presets.dispose();
    assert.deepEqual(readAll(state, await stateOf('workspaceState')), expected);
  });
});
