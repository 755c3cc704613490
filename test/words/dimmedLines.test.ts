// The grammar of logs dims a line of a node that didn't run, in each language of the extension.
import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import german from '../../l10n/bundle.l10n.de.json' with { type: 'json' };
import grammar from '../../media/log.tmLanguage.json' with { type: 'json' };
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import { renderLogLine } from '../../src/words/renderLogLine.ts';
import { makeNodeLog, statusOf } from '../support/memory/records.ts';

const row = makeNodeLog(1, {
  nodeName: 'Add up',
  iteration: [2],
  message: 'Checked',
  timestamp: new Date(2026, 0, 5, 9, 8, 7, 6),
  status: statusOf('completed'),
});
const dimming = grammar.patterns.map(({ match }) => new RegExp(match));

function isDimmed(change: Partial<NodeLog>, title = 'Totals abc'): boolean {
  const [line = ''] = renderLogLine(title, { ...row, ...change }).split('\n');
  return dimming.some((form) => form.test(line));
}

describe('lines that are dimmed', () => {
  after(() => l10n.config({ contents: {} }));

  for (const [language, contents] of [
    ['English', {}],
    ['German', german],
  ] as const)
    it(`in ${language}: those of reused and pinned node runs`, () => {
      l10n.config({ contents });
      for (const status of [statusOf('completed'), statusOf('failed')]) {
        assert.ok(isDimmed({ status, reusedFrom: 'exec_9f8e7d', message: 'Reused from exec_9f8e7d' }));
        assert.ok(isDimmed({ status, isPinned: true, message: 'Gave its pinned output' }));
      }
      assert.ok(isDimmed({ reusedFrom: 'exec_9f8e7d' }));
      assert.ok(isDimmed({ isPinned: true, message: 'one\ntwo' }));
      assert.ok(isDimmed({ isPinned: true, timestamp: null }, ''));
      for (const message of [
        'Checked',
        'node completed',
        'Reused from exec_9f8e7d',
        'a pinned: b',
        'started',
      ])
        assert.ok(!isDimmed({ message }), message);
    });
});
