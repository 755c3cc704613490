// The difference of two texts, line by line, as `diff -u` writes it.
import { structuredPatch } from 'diff';

/** Of texts that differ in more lines, all lines are replaced: finding the shortest way takes time and memory by its square. */
const maximumSteps = 1000;

/** Empty where they're equal. How lines end makes no difference. */
export function renderDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const options = { context: 3, maxEditLength: maximumSteps };
  const patch = structuredPatch('', '', textOf(old), textOf(now), undefined, undefined, options);
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      oldLines: old.length,
      newStart: 1,
      newLines: now.length,
      lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)],
    },
  ];
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** With an end for each line, since the last one is like the others. */
function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
