// What couldn't be checked isn't called free of problems.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { systemClock } from '../../../../src/base/time.ts';
import { ChecksWhileTyping } from '../../../../src/features/definitions/checks/checksWhileTyping.ts';
import { DefinitionProblems } from '../../../../src/features/definitions/checks/definitionProblems.ts';
import { Evaluator } from '../../../../src/service/sandbox/evaluator.ts';
import { createWorld } from '../../../support/memory/world.ts';
import { workerProgram } from '../../../support/sandbox.ts';

const missing = new URL('missing.js', workerProgram);
const start = new vscode.Position(0, 0);
const everything = new vscode.Range(start, start);

function open(text: string): vscode.TextDocument {
  const uri = vscode.Uri.file('/a.workflow.json');
  return {
    uri,
    fileName: uri.path,
    isUntitled: false,
    languageId: 'json',
    encoding: 'utf8',
    version: 1,
    isDirty: false,
    isClosed: false,
    eol: vscode.EndOfLine.LF,
    lineCount: 1,
    getText: () => text,
    save: () => Promise.resolve(true),
    lineAt: () => assert.fail(),
    offsetAt: () => 0,
    positionAt: () => start,
    getWordRangeAtPosition: () => undefined,
    validateRange: () => everything,
    validatePosition: () => start,
  };
}

describe('a check on request', () => {
  const broken = JSON.stringify({
    nodes: [{ id: 'a', type: 'trigger' }],
    edges: [{ source: 'a', target: 'b' }],
  });
  for (const [what, text, sandbox, isChecked, problems] of [
    ['finds what is wrong', broken, workerProgram, true, 1],
    ['finds that a text is no JSON', '{', workerProgram, true, 1],
    ['says that it fails', broken, missing, false, 0],
    ['says that a text is too large', broken.padEnd(600_000), workerProgram, false, 0],
  ] as const)
    it(what, async () => {
      const { connections, definitionTargets, definitionTexts } = createWorld();
      const found = new DefinitionProblems(definitionTexts);
      const evaluator = new Evaluator({ program: sandbox, clock: systemClock });
      const checks = new ChecksWhileTyping(
        { connections, definitionTargets, definitionTexts, evaluator, logger: silentLogger },
        found,
      );
      const document = open(text);
      assert.equal(await checks.check(document), isChecked);
      assert.equal(found.list(document).length, problems);
      checks.dispose();
      evaluator.dispose();
      found.dispose();
    });
});
