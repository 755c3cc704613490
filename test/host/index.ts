// Why: what VS Code calls to run the tests inside its extension host.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { writeCounts } from '../all/counts.ts';
import { testMark } from '../vscode/testOutput.ts';
import { hasPage, page } from './page.ts';

/** The bundled test files beside this one whose path contains one of the wanted words; all when none is wanted. */
function testFiles(wanted: readonly string[]): string[] {
  return readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.cjs'))
    .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
    .sort()
    .map((file) => join(__dirname, file));
}

const { consoleLog } = Mocha.reporters.Base;

/** Prints for the runner, which shows only marked lines. */
function print(...values: unknown[]): void {
  const [first, ...others] = values;
  const text = typeof first === 'string' ? format(first, ...others) : format(...values);
  consoleLog(text.replaceAll(/^/gm, testMark));
}

/** A failed test leaves a picture of what stood on the screen. */
async function photographFailure(this: Mocha.Context): Promise<void> {
  const test = this.currentTest;
  if (test?.state !== 'failed' || !hasPage) return;
  print(`The screen at that moment: ${await page.screenshot(`failed ${test.fullTitle()}`)}`);
}

/** Rejects when a test failed. */
export function run(): Promise<void> {
  const grep = process.env['WORKFLOW_TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    color: true,
    timeout: 60_000,
    rootHooks: { afterEach: photographFailure },
    ...(grep === undefined ? {} : { grep }),
  });
  Mocha.reporters.Base.consoleLog = print;
  const wanted = (process.env['WORKFLOW_TEST_FILES'] ?? '').split(',').filter((word) => word !== '');
  for (const file of testFiles(wanted)) mocha.addFile(file);
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      writeCounts(runner.stats);
      if (failures > 0) reject(new Error(`${failures} failed.`));
      else resolve();
    });
  });
}
