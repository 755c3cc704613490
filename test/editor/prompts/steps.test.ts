import assert from 'node:assert/strict';
import { Cancelled } from '../../../src/editor/prompts/prompts.ts';
import {
  attemptStep,
  type Move,
  type PromptStep,
  runSteps,
  textStep,
} from '../../../src/editor/prompts/steps.ts';
import { settle } from '../../support/memory/ports.ts';
import { quickInputs } from '../../support/vscodeStandIn.ts';

/** Runs steps that move as told; returns what each was shown. */
async function run(
  names: readonly string[],
  moves: (stepOf: (name: string) => PromptStep) => readonly Move[],
  isSkipped: (name: string, shown: readonly string[]) => boolean = () => false,
): Promise<readonly string[]> {
  const shown: string[] = [];
  const left: Move[] = [];
  const steps = names.map((name): PromptStep => ({
    isQuestion: name !== 'check',
    isSkipped: () => isSkipped(name, shown),
    run: ({ title, step, totalSteps, canGoBack }) => {
      shown.push(`${name}: ${title} ${step}/${totalSteps}${canGoBack ? ' back' : ''}`);
      return Promise.resolve(left.shift() ?? 'next');
    },
  }));
  left.push(...moves((name) => steps[names.indexOf(name)] ?? assert.fail(name)));
  await runSteps('Flow', steps);
  return shown;
}

describe('the steps of a flow', () => {
  it('are counted without the work between them, and can be gone back from the second on', async () => {
    assert.deepEqual(await run(['url', 'key', 'check', 'name'], () => []), [
      'url: Flow 1/3',
      'key: Flow 2/3 back',
      'check: Flow 2/3 back',
      'name: Flow 3/3 back',
    ]);
  });

  it('go back to the question before, over the work', async () => {
    const shown = await run(['url', 'key', 'check', 'name'], () => ['next', 'next', 'next', 'back', 'back']);
    assert.deepEqual(
      shown.map((line) => line.split(':')[0]),
      ['url', 'key', 'check', 'name', 'key', 'url', 'key', 'check', 'name'],
    );
  });

  it('are left out, and not counted, where an answer makes them pointless', async () => {
    const shown = await run(
      ['kind', 'token', 'check', 'name'],
      () => ['next', 'next', 'back'],
      (name, before) => name === 'token' && before.length > 0,
    );
    assert.deepEqual(shown, [
      'kind: Flow 1/3',
      'check: Flow 1/2 back',
      'name: Flow 2/2 back',
      'kind: Flow 1/2',
      'check: Flow 1/2 back',
      'name: Flow 2/2 back',
    ]);
  });

  it('do one again and come back to the one that said so', async () => {
    const shown = await run(['url', 'key', 'check', 'name'], (stepOf) => ['next', 'next', stepOf('url')]);
    assert.deepEqual(
      shown.map((line) => line.split(':')[0]),
      ['url', 'key', 'check', 'url', 'check', 'name'],
    );
  });

  it('go on from where Back led, not to the one that had one done again', async () => {
    const shown = await run(['url', 'key', 'check', 'name'], (stepOf) => [
      'next',
      'next',
      stepOf('key'),
      'back',
    ]);
    assert.deepEqual(
      shown.map((line) => line.split(':')[0]),
      ['url', 'key', 'check', 'key', 'url', 'key', 'check', 'name'],
    );
  });

  it('show words from outside as they are, without icons, and without links that run commands', async () => {
    const words = '$(trash) [Retry](command:workbench.action.quit)';
    const literal = String.raw`\$(trash) [Retry] (command:workbench.action.quit)`;
    const attempt = attemptStep({
      title: 'Connecting…',
      work: () => Promise.reject(new Error('refused')),
      recover: () => ({ message: words, choices: [] }),
    });
    const attempted = runSteps('Flow', [attempt]);
    await settle();
    assert.equal(quickInputs.pick?.prompt, literal);
    quickInputs.pick.hide();
    await assert.rejects(attempted, Cancelled);
    const asked = runSteps('Flow', [
      textStep(
        () => ({ prompt: words, validate: () => words }),
        () => assert.fail(),
      ),
    ]);
    assert.equal(quickInputs.box?.prompt, literal);
    quickInputs.box.accept();
    assert.equal(quickInputs.box.validationMessage, literal);
    quickInputs.box.hide();
    await assert.rejects(asked, Cancelled);
  });
});
