import { plainLine } from '../../../base/format.ts';
import { checkText } from '../../../definition/checkText.ts';
import { placeFaults } from '../../../definition/definitionProblem.ts';
import { DefinitionText } from '../../../definition/definitionText.ts';
import { readExpression } from '../../../definition/expressions.ts';
import { exitCodes, type Run } from '../command.ts';
import { readText } from '../readFiles.ts';

interface Problem {
  readonly [member: string]: string | number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** The line and the column of an offset, from 1 on. */
function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

export const checkFiles: Run = async ({ given, terminal }) => {
  const problems: Problem[] = [];
  for (const file of given.positionals) {
    const content = await readText(file);
    const text = new DefinitionText(content.replace(/^\ufeff/, ''));
    // As windows check a file that belongs to no service.
    for (const { offset, message, isError } of placeFaults(
      text,
      checkText(text.text, text.format, readExpression),
      false,
    ))
      problems.push({
        file,
        ...positionOf(text.text, offset),
        severity: isError ? 'error' : 'warning',
        message: plainLine(message, 1000),
      });
  }
  terminal.report(problems, () =>
    problems
      .map(
        ({ file, line, column, severity, message }) => `${file}:${line}:${column}: ${severity}: ${message}`,
      )
      .join('\n'),
  );
  return problems.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
};
