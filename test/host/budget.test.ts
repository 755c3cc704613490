// While few requests of a key's minute are left, the status bar says how many, and its hover what they are for.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clickUntil, hoverUntil } from './clicks.ts';
import { connect, disconnect, listWorkflows } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { userData } from './userData.ts';

const item = '[id="workflow-automation.workflow-automation.budget"]';
const hover = '.monaco-hover:has-text("Requests to")';

/** What the item says; empty while it is not there. */
const shownText = async (): Promise<string> => ((await page.texts(item))[0] ?? '').trim();

describe('the request budget', () => {
  let service: OwnService;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '20');
    connectionId = await connect('Small plan', service);
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('shows in the status bar when less than a third is left, with what the requests are for', async () => {
    assert.deepEqual(await page.texts(item), []);
    const text = await until(
      async () => {
        await listWorkflows();
        // It's drawn later than the answer comes, and the requests must last until then.
        await page.appears(item);
        return shownText();
      },
      (shown) => shown !== '',
    );
    assert.match(text, /^\d+ of 20 left$/);
    await hoverUntil(item, hover);
    await page.screenshot('budget-hover');
    for (const told of [/Requests to Small plan/, /Your commands: \d+/, /\d+ of 20 are left this minute\./])
      await until(
        () => page.texts(hover),
        (texts) => told.test(texts.join('\n')),
      );
  });

  it('says when it goes on once nothing is left', async () => {
    await assert.rejects(async () => {
      for (;;) await listWorkflows();
    }, /limit of requests/);
    await until(shownText, (shown) => /^resumes in \d+ s$/.test(shown));
    await page.screenshot('budget-resumes');
  });

  it('opens a report of the connection when it is clicked', async () => {
    await clickUntil(item, () => page.isThere('.view-lines:has-text("Requests left this minute")'));
  });

  it('counts in a file that all windows share', () => {
    const files = readdirSync(userData(), { recursive: true, encoding: 'utf8' });
    const found = files.find((file) => file.endsWith('budget.db'));
    assert.ok(found !== undefined && existsSync(join(userData(), found)));
  });
});
