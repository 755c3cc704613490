// What an earlier version remembered is read back, and a record that can't be read costs that record only.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { InputDrafts } from '../../src/model/inputs/inputDrafts.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { PresetChoices } from '../../src/model/inputs/presetChoices.ts';
import { SeenEvents } from '../../src/model/portalEvents/seenEvents.ts';
import { HandClock, MemoryState } from '../support/memory/ports.ts';

const orders = { connectionId: 'local', workflowId: 'wf_1' };
const answers = { connectionId: 'c2', workflowId: 'a "quoted" id' };
/** What no schema takes. */
const damaged: readonly JsonValue[] = [null, 5, 'text', [], {}, { connectionId: 7, id: '', fileUri: false }];

/** A state as version 1 stored it, each entry as the change makes it. */
async function stateOf(change: (value: JsonValue) => JsonValue = (value) => value): Promise<MemoryState> {
  const stored = parseJson(
    readFileSync(new URL('fixtures/version1/globalState.json', import.meta.url), 'utf8'),
  );
  assert.ok(isJsonObject(stored));
  const state = new MemoryState();
  for (const [key, value] of Object.entries(stored)) await state.set(key, change(value));
  return state;
}

/** Everything that is remembered, as those who remember it read it. */
function readAll(state: MemoryState) {
  const clock = new HandClock();
  const history = new InputHistory(state, clock, () => 'svc_sk_');
  const drafts = new InputDrafts(state, () => 'svc_sk_');
  const presets = new PresetChoices(state);
  const seen = new SeenEvents(state, clock);
  const all = {
    history: [orders, answers].map((target) => history.read(target)),
    drafts: [orders, answers].map((target) => drafts.read(target)),
    presets: ['first', 'second'].map(
      (name) => presets.find(`file:///project/inputs/${name}.workflow-input.json`)?.workflowName,
    ),
    seen: ['local', 'c2'].map((connectionId) => seen.get(connectionId)),
  };
  for (const part of [history, presets, seen]) part.dispose();
  return all;
}

const expected = {
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
    assert.deepEqual(readAll(await stateOf()), expected);
  });

  it('loses nothing but a damaged record, wherever in a list it stands', async () => {
    const spoilt = await stateOf((value) =>
      Array.isArray(value) ? [...damaged, ...value.flatMap((item: JsonValue) => [item, ...damaged])] : value,
    );
    assert.deepEqual(readAll(spoilt), expected);
  });

  for (const value of damaged)
    it(`is as new where each entry is ${JSON.stringify(value)}`, async () => {
      assert.deepEqual(readAll(await stateOf(() => value)), {
        history: [[], []],
        drafts: [undefined, undefined],
        presets: [undefined, undefined],
        seen: [undefined, undefined],
      });
    });

  it('keeps the others when something is added beside a damaged record', async () => {
    const state = await stateOf((value) =>
      Array.isArray(value) ? [null, ...(value as readonly JsonValue[])] : value,
    );
    const presets = new PresetChoices(state);
    await presets.remember({ fileUri: 'file:///third.json', ...orders, workflowName: 'Third' });
    presets.dispose();
    assert.deepEqual(readAll(state), expected);
  });
});
