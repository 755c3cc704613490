// The first command of the README must end in a VS Code that answers, leave nothing running, and say what it keeps and where.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { standStill, startBrowser } from '../rig/web/browser.ts';
import { canInstallWeb, installWeb } from '../rig/web/install.ts';
import { view } from '../rig/guideHands.ts';
import { root } from '../rig/paths.ts';

const minutes = 60_000;

/** Every process that was started, directly or not, with this mark in its environment. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        if (!readFileSync(join('/proc', id, 'environ'), 'utf8').includes(mark)) return [];
        return [readFileSync(join('/proc', id, 'cmdline'), 'utf8').replaceAll('\0', ' ')];
      } catch {
        // Gone meanwhile, or another user's: not one of ours.
        return [];
      }
    });
}

/** Starts as "npm start" does and resolves with the address that it prints. */
async function startUntilAddress(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const address = /http:\/\/\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`No address was printed:\n${lines.join('\n')}`);
}

describe('npm start without a desktop VS Code', function () {
  this.timeout(5 * minutes);

  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-start-'));
  const mark = `WORKFLOW_START_TEST=${folder}`;
  const start = (): ChildProcess =>
    spawn(process.execPath, [join('test', 'rig', 'start.ts'), '--browser', '--data', join(folder, 'data')], {
      cwd: root,
      env: { ...process.env, WORKFLOW_START_TEST: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  before(async function () {
    if (!canInstallWeb) this.skip();
    await installWeb();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('shows the samples of the local service, ends on Ctrl+C with nothing left running, and starts again', async () => {
    const { browser: installed } = await installWeb();
    await using stack = new AsyncDisposableStack();
    const browser = await startBrowser({ browser: installed, folder });
    stack.defer(() => browser.close());
    // One context is one browser profile: what the first start stored is there for the second.
    const context = await browser.newContext();
    await context.addInitScript(standStill);

    for (const round of ['first', 'second']) {
      const child = start();
      const ended = once(child, 'close');
      // Does nothing when it ended as it should; without it a failure would leave it running for ever.
      stack.defer(() => void child.kill('SIGTERM'));
      const address = await startUntilAddress(child);
      const page = await context.newPage();
      await page.goto(address);
      if (round === 'first')
        // The editor opens the views beside the walkthrough.
        await page.getByText('Get Started with Workflow Automation').first().waitFor({ timeout: minutes });
      const rows = view(page, 'Workflows').locator('.monaco-list-row');
      await rows.nth(2).waitFor({ timeout: minutes });
      if (round === 'first') {
        await page.reload();
        await rows.nth(2).waitFor({ timeout: minutes });
      }
      assert.ok(processesWith(mark).length > 2, 'VS Code and the local service run');

      let lastWords = '';
      child.stdout?.on('data', (chunk: Buffer) => (lastWords += chunk.toString()));
      child.kill('SIGINT');
      await ended;
      assert.ok(lastWords.includes(join(folder, 'data')), lastWords);
      assert.equal(child.exitCode, 0, `${round} start`);
      await page.close();
      assert.deepEqual(processesWith(mark), [], `left by the ${round} start`);
    }
  });
});
