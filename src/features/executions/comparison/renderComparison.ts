// Renders what differs between two executions as a text, with the places of its node runs and fields.
import * as l10n from '@vscode/l10n';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { joined, jsonLine, plainLine } from '../../../base/format.ts';
import type { Comparison, Differences, DifferentRuns } from '../../../model/comparison/compareExecutions.ts';
import { formatField } from '../../../base/fieldPath.ts';
import { patternOf } from '../../../model/comparison/fieldPatterns.ts';
import type { Difference } from '../../../model/comparison/jsonDifferences.ts';
import {
  beginOf,
  describeGoneRuns,
  draftWord,
  executionWord,
  retryWords,
} from '../../../words/executionWords.ts';
import { shortId } from '../../../words/names.ts';
import { describeOutcome, originWord } from '../../../words/nodeState.ts';
import { renderNodeName } from '../../../words/renderLogLine.ts';
import { formatDuration, renderTime } from '../../../words/time.ts';
import { writeTruncatedJson } from '../../../base/boundedJson.ts';
import type { JsonValue } from '../../../base/json.ts';

/** The marks at the beginning of a line, which its colors follow. */
const marks = { left: '<', right: '>', differs: '≠' } as const;

/** Lines are 0-based; both ends are inclusive. */
interface Lines {
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A heading with all that is below it. */
interface HeadedSection extends Lines {
  readonly title: string;
  readonly runs: readonly ComparedRunSection[];
}

/** The runs of one node that differ. */
export interface ComparedRunSection extends Lines {
  readonly title: string;
  readonly detail: string;
  readonly runs: DifferentRuns;
}

/** A field that differs: its path and both values. */
export interface FieldSection extends Lines {
  /** The pattern that ignores it. */
  readonly pattern: string;
}

export interface RenderedComparison {
  readonly text: string;
  readonly sections: readonly HeadedSection[];
  readonly fields: readonly FieldSection[];
  /** The line that counts the ignored differences. */
  readonly ignoredLine: number | null;
}

/** The field that a line belongs to. */
export function findField(rendered: RenderedComparison | undefined, line: number): FieldSection | undefined {
  return rendered?.fields.find(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine);
}

/** Collects lines and the places of what they say. */
class Page {
  readonly #lines: string[] = [];
  readonly sections: HeadedSection[] = [];
  readonly fields: FieldSection[] = [];

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Returns the number of the line. */
  add(line: string): number {
    return this.#lines.push(line) - 1;
  }

  /** Adds a heading with an empty line above it. */
  addSection(title: string, addBody: () => readonly ComparedRunSection[]): void {
    this.add('');
    const firstLine = this.add(title);
    const runs = addBody();
    this.sections.push({ title, firstLine, lastLine: this.#lines.length - 1, runs });
  }

  addField({ path, left, right }: Difference, above: number): void {
    const firstLine = this.add(`  ${formatField(path.slice(above))}`);
    const [leftText, rightText] = renderValues(left, right);
    this.add(`    ${marks.left} ${leftText}`);
    const lastLine = this.add(`    ${marks.right} ${rightText}`);
    this.fields.push({ firstLine, lastLine, pattern: patternOf(path) });
  }

  /** `above`: how many parts of the paths are said by the heading. */
  addDifferences({ shown, more }: Differences, above: number): void {
    for (const difference of shown) this.addField(difference, above);
    if (more > 0) this.add(`  ${l10n.t('… and {0} more', more)}`);
  }

  addRuns(runs: DifferentRuns): ComparedRunSection {
    const { left, right, differences } = runs;
    const name = nameOf(right ?? left);
    if (left === undefined || right === undefined) {
      const [mark, detail] =
        left === undefined
          ? [marks.right, l10n.t('only on the right: {0}', wordsOf(right))]
          : [marks.left, l10n.t('only on the left: {0}', wordsOf(left))];
      const line = this.add(`${mark} ${name}  ${detail}`);
      return { title: name, detail, runs, firstLine: line, lastLine: line };
    }
    const origins = describeOrigins(left, right);
    const firstLine = this.add(joined([`${marks.differs} ${name}`, origins], '  '));
    this.addDifferences(differences, 2);
    const detail = l10n.t('differing fields: {0}', differences.shown.length + differences.more);
    return { title: name, detail, runs, firstLine, lastLine: this.#lines.length - 1 };
  }
}

const nameOf = (run: NodeRun | undefined): string => (run === undefined ? '' : renderNodeName(run));
const wordsOf = (run: NodeRun | undefined): string => (run === undefined ? '' : describeOutcome(run));

/** "< reused  > pinned": the sides on which nothing ran. */
function describeOrigins(left: NodeRun, right: NodeRun): string | undefined {
  const sides = [
    [marks.left, originWord(left)],
    [marks.right, originWord(right)],
  ] as const;
  const words = sides.flatMap(([mark, word]) => (word === undefined ? [] : `${mark} ${word}`));
  return words.length === 0 ? undefined : words.join('  ');
}

/** "Order totals", or "Order totals (reused)" where nothing ran on the right. */
function nameOfSame(run: NodeRun): string {
  const origin = originWord(run);
  return origin === undefined ? nameOf(run) : `${nameOf(run)} (${origin})`;
}

const isSame = ({ whole, different }: Comparison): boolean =>
  whole.shown.length === 0 && different.length === 0;

function renderTitle(names: readonly string[], comparison: Comparison): string {
  const { different, moreDifferent, sameCount } = comparison;
  const count = different.length + moreDifferent;
  const words = isSame(comparison)
    ? l10n.t('no differences')
    : count + sameCount === 0
      ? undefined
      : l10n.t('differing node runs: {0} of {1}', count, count + sameCount);
  return joined([[...new Set(names)].join(' ↔ '), words], ' · ');
}

/** One line for each side, in columns. */
function renderHead(names: readonly [string, string], { left, right }: Comparison): readonly string[] {
  const isOneWorkflow = names[0] === names[1];
  const rows = [left, right].map(({ execution }, at) => {
    const began = beginOf(execution);
    return [
      at === 0 ? `${marks.left} ${l10n.t('left')}` : `${marks.right} ${l10n.t('right')}`,
      joined([executionWord(execution), draftWord(execution), retryWords(execution)], ', '),
      execution.durationMs === null ? '-' : formatDuration(execution.durationMs),
      began === null ? '-' : renderTime(began),
      plainLine(execution.id, 80),
      isOneWorkflow ? '' : (names[at] ?? ''),
    ];
  });
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What keeps the comparison from being the whole truth. */
function renderNotes(
  { left, right, truncatedCount }: Comparison,
  mistakes: readonly string[],
): readonly string[] {
  const running = [left, right].some(({ execution }) => !execution.status.isTerminal);
  return [
    ...(running ? [l10n.t('An execution is still running; results may be incomplete.')] : []),
    ...[left, right].flatMap(({ execution, goneRuns }) =>
      goneRuns > 0 ? [`${shortId(execution.id)}: ${describeGoneRuns(goneRuns)}`] : [],
    ),
    ...(truncatedCount > 0 ? [l10n.t('Large values compared only partially: {0}', truncatedCount)] : []),
    ...mistakes.slice(0, 5).map((text) => l10n.t('Invalid ignored field: {0}', plainLine(text, 80))),
  ];
}

function addDifferent(page: Page, { whole, different, moreDifferent }: Comparison): void {
  const [first, ...others] = different;
  if (first !== undefined) page.addSection(l10n.t('First difference'), () => [page.addRuns(first)]);
  if (others.length > 0)
    page.addSection(l10n.t('Further differences'), () => {
      const sections = others.map((runs) => page.addRuns(runs));
      if (moreDifferent > 0) page.add(l10n.t('… and {0} more', moreDifferent));
      return sections;
    });
  if (whole.shown.length === 0) return;
  page.addSection(l10n.t('The execution as a whole'), () => {
    page.addDifferences(whole, 0);
    return [];
  });
}

/** `names`: of both workflows, sanitized for display. `mistakes`: what the list of ignored fields holds and isn't a path. */
export function renderComparison(
  names: readonly [left: string, right: string],
  comparison: Comparison,
  mistakes: readonly string[],
): RenderedComparison {
  const page = new Page();
  page.add(renderTitle(names, comparison));
  page.add('');
  for (const line of renderHead(names, comparison)) page.add(line);
  const notes = renderNotes(comparison, mistakes);
  if (notes.length > 0) page.add('');
  for (const note of notes) page.add(note);
  addDifferent(page, comparison);
  const { same, sameCount, ignored } = comparison;
  if (sameCount > 0) {
    const list = [...same.map(nameOfSame), ...(sameCount > same.length ? ['…'] : [])].join(', ');
    page.add('');
    page.add(`${l10n.t('Identical node runs: {0}', sameCount)} (${plainLine(list, 200)})`);
  }
  if (sameCount === 0 && ignored > 0) page.add('');
  const ignoredLine = ignored > 0 ? page.add(l10n.t('Ignored differences: {0}', ignored)) : null;
  const { text, sections, fields } = page;
  return { text, sections, fields, ignoredLine };
}

const maximum = 160;
/** How much of a text is shown in front of its difference. */
const before = 40;
const block = 4096;

function renderValue(value: JsonValue | undefined): string {
  return value === undefined ? l10n.t('(nothing)') : jsonLine(writeTruncatedJson(value, maximum), maximum);
}

/** How many characters are the same from the beginning. Blocks are compared as a whole, since texts may be very long. */
function countSame(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let same = 0;
  while (same + block < length && left.startsWith(right.slice(same, same + block), same)) same += block;
  while (same < length && left.charCodeAt(same) === right.charCodeAt(same)) same += 1;
  return same;
}

/** Where the shown part begins; 0 if both texts are short, or differ near their beginning. */
function findCut(left: string, right: string): number {
  if (Math.max(left.length, right.length) <= maximum - 2) return 0;
  const same = countSame(left, right);
  return same < before * 2 ? 0 : same - before;
}

function renderText(text: string, from: number): string {
  if (from === 0) return renderValue(text);
  return `…${jsonLine(writeTruncatedJson(text.slice(from), maximum), maximum - 1)}`;
}

/** Renders two values that differ. A side is undefined where there's no such field. */
export function renderValues(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): readonly [left: string, right: string] {
  if (typeof left !== 'string' || typeof right !== 'string') return [renderValue(left), renderValue(right)];
  const from = findCut(left, right);
  return [renderText(left, from), renderText(right, from)];
}
