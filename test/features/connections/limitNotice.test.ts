// The notice that a command waits for the limit of requests.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { registerLimitNotice } from '../../../src/features/connections/budgetItem.ts';
import { RequestWaits } from '../../../src/model/requestWaits.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { shownProgress } from '../../support/progress.ts';

describe('the notice of the limit of requests', () => {
  it('is there for a wait that begins while that of an earlier one closes', async () => {
    const clock = new HandClock();
    const requestWaits = new RequestWaits();
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => assert.fail(String(error)),
      activeConnectionId: () => 'active',
      findSubject: () => undefined,
    });
    const notice = registerLimitNotice({ clock, commands, requestWaits });
    const begin = () => requestWaits.begin(clock.now() + 1000, () => undefined);
    const first = begin();
    let second: ReturnType<typeof begin> | undefined;
    const listening = shownProgress.onDidChange((titles) => {
      if (titles.length > 0 || second !== undefined) return;
      first.dispose();
      second = begin();
    });
    assert.equal(shownProgress.current.length, 1);
    await clock.advance(1000);
    assert.notEqual(second, undefined);
    assert.equal(shownProgress.current.length, 1);
    second?.dispose();
    await clock.advance(1000);
    assert.equal(shownProgress.current.length, 0);
    for (const each of [listening, notice, requestWaits]) each.dispose();
  });
});
