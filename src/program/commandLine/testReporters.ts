// How the results of tests read: for people, for a CI's report, and as JSON.
import { plainText } from '../../base/format.ts';
import { redact } from '../../base/masking.ts';
import { formatDuration } from '../../words/time.ts';
import type { WorkflowCoverage } from '../../workflowTests/coverage.ts';
import { renderResult, type TestResult } from '../../workflowTests/runTest.ts';
import type { Terminal } from './terminal.ts';

export interface EndedTest {
  /** Of the file. */
  readonly uri: string;
  readonly path: string;
  readonly title: string;
  readonly result: TestResult;
}

type Reporter = (terminal: Terminal, ended: readonly EndedTest[]) => void;

const signs = { passed: '✓', failed: '✗', errored: '✗', skipped: '-' } as const;
const styles = { passed: 'green', failed: 'red', errored: 'red', skipped: 'yellow' } as const;
const outcomes = ['passed', 'failed', 'errored', 'skipped'] as const;

const counted = (ended: readonly EndedTest[], outcome: (typeof outcomes)[number]): number =>
  ended.filter(({ result }) => result.outcome === outcome).length;

const byFile = (ended: readonly EndedTest[]): ReadonlyMap<string, readonly EndedTest[]> =>
  Map.groupBy(ended, ({ path }) => path);

const reportSpec: Reporter = (terminal, ended) => {
  for (const [path, tests] of byFile(ended)) {
    terminal.write(path);
    for (const { title, result } of tests) {
      const { outcome, message, durationMs } = result;
      const time = durationMs === undefined ? '' : ` (${formatDuration(durationMs)})`;
      terminal.writeStyled(styles[outcome], `  ${signs[outcome]} `, `${title}${time}`);
      if (message !== undefined) terminal.write(`      ${message.replaceAll('\n', '\n      ')}`);
    }
  }
  const counts = outcomes.map((outcome) => [counted(ended, outcome), outcome] as const);
  terminal.write(
    counts
      .filter(([count]) => count > 0)
      .map(([count, outcome]) => `${count} ${outcome}`)
      .join(', '),
  );
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Of text that XML can't hold nothing is left. */
function escapeXml(text: string): string {
  const lines = redact(text).split('\n').map(plainText).join('\n');
  return lines.replace(/[&<>"\n\ufffe\uffff]/g, (found) => entities[found] ?? '');
}

const reportJunit: Reporter = (terminal, ended) => {
  const suites = [...byFile(ended)].map(([path, tests]) => {
    const cases = tests.map(({ title, result: { outcome, message = '', durationMs = 0 } }) => {
      const opening = `    <testcase classname="${escapeXml(path)}" name="${escapeXml(title)}" time="${durationMs / 1000}">`;
      const tag = { passed: '', failed: 'failure', errored: 'error', skipped: 'skipped' }[outcome];
      const body = tag === '' ? '' : `<${tag} message="${escapeXml(message)}"/>`;
      return `${opening}${body}</testcase>`;
    });
    const counts = `tests="${tests.length}" failures="${counted(tests, 'failed')}" errors="${counted(tests, 'errored')}" skipped="${counted(tests, 'skipped')}"`;
    return [`  <testsuite name="${escapeXml(path)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
  });
  terminal.write(
    ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>'].join('\n'),
  );
};

const reportJson: Reporter = (terminal, ended) =>
  terminal.writeJson(ended.map(({ uri, title, result }) => renderResult(uri, title, result)));

export const reporterNames = ['spec', 'junit', 'json'] as const;

export const reporters: Readonly<Record<(typeof reporterNames)[number], Reporter>> = {
  spec: reportSpec,
  junit: reportJunit,
  json: reportJson,
};

/** The nodes of each definition with how often each ran, and its branches. */
export function renderCoverage(coverages: readonly WorkflowCoverage[]): string {
  return coverages
    .map(({ nodes }) => {
      const ran = nodes.filter(({ count }) => count > 0).length;
      const rows = nodes.flatMap(({ nodeId, count, branches }) => [
        `  ${count}× ${nodeId}`,
        ...branches.map((each) => `    ${each.count}× ${each.branch}`),
      ]);
      return [`${ran} of ${nodes.length} nodes ran`, ...rows].join('\n');
    })
    .join('\n');
}
