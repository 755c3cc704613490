import assert from 'node:assert/strict';
import type { Execution } from '../../../../src/domain/execution.ts';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../../src/domain/status.ts';
import {
  barMarks,
  barWidth,
  renderBar,
  renderScale,
  renderTimeline,
} from '../../../../src/features/executions/documents/renderTimeline.ts';
import type { Span } from '../../../../src/model/runs/timeline.ts';
import { renderTime } from '../../../../src/words/time.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';

const start = Date.UTC(2026, 0, 5, 10);
const at = (millisecond: number): Date => new Date(start + millisecond);

/** A row of a node run between two times; without the second it goes on. */
function row(
  name: string,
  state: RunState,
  times: readonly [from?: number, to?: number],
  change: Partial<NodeLog> = {},
): NodeLog {
  const [from, to] = times;
  return makeNodeLog(0, {
    key: `${name} ${state} ${from ?? ''}`,
    sequence: null,
    nodeId: name,
    nodeName: name,
    status: statusOf(state),
    startedAt: from === undefined ? null : at(from),
    timestamp: from === undefined ? null : at(to ?? from),
    completedAt: to === undefined ? null : at(to),
    durationMs: from === undefined || to === undefined ? null : to - from,
    ...change,
  });
}

function render(rows: readonly NodeLog[], change: Partial<Execution>) {
  const execution = makeExecution('e', { createdAt: at(0), ...change });
  return renderTimeline('Order totals', { execution, rows, nodeRuns: foldNodeRuns(rows), goneRuns: 0 });
}

const bar = (before: number, marks: string): string => (' '.repeat(before) + marks).padEnd(40);
const completed = {
  status: statusOf('completed'),
  startedAt: at(100),
  completedAt: at(4000),
  durationMs: 3900,
};

describe('the timeline as a text', () => {
  it('says what, when and how long, what took longest, and draws each node run', () => {
    const { text } = render(
      [
        row('Order placed', 'completed', [100, 105]),
        row('Pick', 'running', [200], { iteration: [0] }),
        row('Pick', 'waiting', [200], { iteration: [0], timestamp: at(1000) }),
        row('Pick', 'completed', [200, 2000], { iteration: [0] }),
        row('Pick', 'failed', [2000, 3000], { iteration: [1] }),
        row('Receipt', 'skipped', []),
      ],
      completed,
    );
    assert.deepEqual(text.split('\n'), [
      'Order totals · completed in 3.9 s',
      `Started:  ${renderTime(at(100))}, queued for 100 ms`,
      'Longest:  Pick [1] 1.8 s (45%), Pick [2] 1.0 s (25%)',
      'Idle:     2.2 s (55%)',
      'Bars:     █ running   ░ waiting   │ too short for a bar',
      '',
      `  Status       Start  Duration  0${' '.repeat(34)}4.0 s  Node`,
      `  completed  +100 ms      5 ms  ${bar(1, '│')}  Order placed`,
      `  completed  +200 ms     1.8 s  ${bar(2, `${'█'.repeat(8)}${'░'.repeat(10)}`)}  Pick [1]`,
      `! failed      +2.0 s     1.0 s  ${bar(20, '█'.repeat(10))}  Pick [2]`,
      `  skipped          -         -  ${'start unknown'.padEnd(40)}  Receipt`,
      '',
    ]);
  });

  it('says what a retry took over, of which execution it is, and that a draft is one', () => {
    const { text } = render(
      [
        row('Fetch', 'completed', [100, 105], { reusedFrom: 'e1' }),
        row('Rate', 'completed', [105, 105], { isPinned: true }),
        row('Pay', 'completed', [105, 3900]),
      ],
      { ...completed, kind: 'draft', retryOf: 'exec_123456' },
    );
    const [title, ...lines] = text.split('\n');
    assert.equal(title, 'Order totals · draft · completed in 3.9 s · retry of 123456');
    const begins = lines.slice(-4, -1).map((line) => line.slice(0, 20));
    assert.deepEqual(begins, ['= completed · reused', '= completed · pinned', '  completed         ']);
  });

  it('says why a node failed, after its name, which alone is the link', () => {
    const error = { code: null, message: 'shelf\nis busy', nodeId: 'Pick' };
    const { text, sections } = render([row('Pick', 'failed', [0, 500], { error })], completed);
    const [section] = sections;
    const line = text.split('\n')[section?.firstLine ?? 0] ?? '';
    assert.match(line, /^! failed .* {2}Pick: shelf is busy$/);
    assert.equal(line.slice(...(section?.link ?? [])), 'Pick');
  });

  it('grows to the last row that is known, and says what still runs', () => {
    const { text } = render([row('A', 'completed', [0, 500]), row('B', 'running', [500])], {
      status: statusOf('running'),
      startedAt: at(0),
    });
    assert.deepEqual(text.split('\n').slice(-3), [
      `  completed    +0 ms    500 ms  ${'█'.repeat(40)}  A`,
      `> running    +500 ms         …  ${bar(39, '│')}  B`,
      '',
    ]);
    assert.match(text, /^Order totals · running, 500 ms so far\n/);
    const later = render(
      [row('A', 'completed', [0, 500]), row('B', 'running', [500], { key: 'said', timestamp: at(1000) })],
      { status: statusOf('running'), startedAt: at(0) },
    );
    assert.ok(later.text.includes(`…  ${bar(20, '█'.repeat(20))}  B`), later.text);
  });

  it('keeps every column in place and in one line, whatever the names are', () => {
    const names = [
      'x'.repeat(500),
      '処理する「注文」の合計',
      'two\nlines\ttab',
      '\u001b[31mred\u202eback\u0007',
      '[x](command:workbench.action.quit)',
      '👩‍👩‍👧 é ﷽',
      '',
    ];
    const rows = names.map((name, index) =>
      row(`n${index}`, 'unknown', [index, index + 1], {
        nodeName: name,
        status: { state: 'unknown', word: `${name}?`, isTerminal: true, hasWarning: false },
      }),
    );
    const { text, sections } = render(rows, completed);
    const lines = text.split('\n');
    assert.equal(lines.length, 6 + 1 + names.length + 1);
    for (const {
      run,
      firstLine,
      link: [begin],
    } of sections) {
      const line = lines[firstLine] ?? '';
      assert.ok(line.slice(0, begin).endsWith('  ') && !/[^ -~█░│]/u.test(line.slice(0, begin)));
      assert.ok(line.slice(begin).startsWith(run.nodeName === '' ? run.nodeId : '') && line.length < 200);
    }
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/.test(text));
  });

  it('names the lines of each node run', () => {
    const { text, sections } = render(
      [row('B', 'completed', [5, 6]), row('C', 'completed', []), row('A', 'completed', [1, 2])],
      completed,
    );
    const lines = text.split('\n');
    assert.deepEqual(
      sections.map(({ run, firstLine, link }) => [run.nodeId, lines[firstLine]?.slice(...link)]),
      [
        ['A', 'A'],
        ['B', 'B'],
        ['C', 'C'],
      ],
    );
  });

  it('draws nothing where the service tells no times, and says so', () => {
    const { text } = render([row('A', 'completed', [], { status: null })], {
      status: statusOf('completed'),
      createdAt: null,
    });
    assert.deepEqual(text.split('\n'), [
      'Order totals · completed',
      '',
      `  Status   Start  Duration  ${bar(0, '')}  Node`,
      `  unknown      -         -  ${'start unknown'.padEnd(40)}  A`,
      '',
    ]);
  });

  it('says where nothing has run', () => {
    assert.equal(
      render([], { status: statusOf('queued') }).text,
      'Order totals · queued\n\nWaiting for the first node…\n',
    );
    assert.match(render([], completed).text, /\n\nNo nodes have run\n$/);
  });

  it('keeps the word of a service that it does not know, and a warning', () => {
    const warning = { state: 'completed', word: 'warning', isTerminal: true, hasWarning: true } as const;
    const odd = { state: 'unknown', word: 'frobbing', isTerminal: false, hasWarning: false } as const;
    const { text } = render(
      [row('A', 'completed', [1, 2], { status: warning }), row('B', 'unknown', [2], { status: odd })],
      completed,
    );
    assert.match(text, /^ {2}completed .* A \(warning\)$/m);
    assert.match(text, /^ {2}unknown .* B \(frobbing\)$/m);
  });
});

const whole: Span = { from: 1000, to: 5000 };
const span = (from: number, to: number): Span => ({ from: whole.from + from, to: whole.from + to });
/** What a bar shows, each run of equal characters as how many there are. */
const shape = (bar: string): string =>
  bar.replace(/(.)\1*/gu, (run, mark: string) => `${mark}${run.length} `);
const { work, wait, moment } = barMarks;

/** A bar is the only picture of a time there is; each must be as wide as all others and say what was measured. */
describe('the bar of a node run', () => {
  for (const [what, time, waits, expected] of [
    ['all of it', span(0, 4000), [], `${work}40 `],
    ['the first half', span(0, 2000), [], `${work}20  20 `],
    ['the last quarter', span(3000, 4000), [], ` 30 ${work}10 `],
    ['a moment at the start', span(0, 0), [], `${moment}1  39 `],
    ['a moment at the end', span(4000, 4000), [], ` 39 ${moment}1 `],
    ['less than half a character', span(1000, 1040), [], ` 10 ${moment}1  29 `],
    ['as little between two characters', span(1099, 1140), [], ` 10 ${moment}1  29 `],
    ['half a character', span(1020, 1070), [], ` 10 ${work}1  29 `],
    ['half a character at the end', span(3950, 4000), [], ` 39 ${work}1 `],
    ['half a character that waited', span(1020, 1070), [span(1020, 1070)], ` 10 ${wait}1  29 `],
    ['a wait in the middle', span(0, 4000), [span(1000, 2000)], `${work}10 ${wait}10 ${work}20 `],
    ['nothing but a wait', span(0, 2000), [span(0, 2000)], `${wait}20  20 `],
    ['a moment that waited', span(1000, 1010), [span(1000, 1010)], ` 10 ${moment}1  29 `],
  ] as const)
    it(`of ${what}`, () => assert.equal(shape(renderBar({ ...time, waits }, whole)), expected));

  it('has one width on any scale', () => {
    for (const length of [0, 1, 7, 1e12])
      for (const part of [0, 0.3, 0.999, 1]) {
        const time = { from: 0, to: length * part };
        assert.equal(renderBar({ ...time, waits: [time] }, { from: 0, to: length }).length, barWidth);
      }
  });

  it('stands below a scale of the same width', () => {
    assert.equal(renderScale('0', '123 h 59 min').length, barWidth);
    assert.match(renderScale('0', '1.2 s'), /^0 +1\.2 s$/);
  });
});
