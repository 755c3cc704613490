import { isAbortError } from '../../../base/async.ts';
import { plainLine } from '../../../base/format.ts';
import { messageOf } from '../../../base/reason.ts';
import type { DefinitionChecker } from '../../../definition/checkText.ts';
import { placeFaults } from '../../../definition/definitionProblem.ts';
import { DefinitionText } from '../../../definition/definitionText.ts';
import { positionOf } from '../../../definition/jsonText.ts';
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

/** As windows check a file that belongs to no service. */
async function check(
  file: string,
  checker: DefinitionChecker,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const text = new DefinitionText(await readText(file, signal));
  try {
    const result = await checker.checkText(text.text, text.format, signal);
    return placeFaults(text, result, false).map(({ offset, message, isError }) => ({
      file,
      ...positionOf(text.text, offset),
      severity: isError ? 'error' : 'warning',
      message: plainLine(message, 1000),
    }));
  } catch (error) {
    if (isAbortError(error)) throw error;
    const message = `The definition could not be checked: ${plainLine(messageOf(error))}`;
    return [{ file, line: 1, column: 1, severity: 'error', message }];
  }
}

export const checkFiles: Run = async ({ given, openChecker, signal, terminal }) => {
  const checker = await openChecker();
  const problems: Problem[] = [];
  for (const file of given.positionals) problems.push(...(await check(file, checker, signal)));
  terminal.report(problems, () =>
    problems
      .map(
        ({ file, line, column, severity, message }) => `${file}:${line}:${column}: ${severity}: ${message}`,
      )
      .join('\n'),
  );
  return problems.some(({ severity }) => severity === 'error') ? exitCodes.no : exitCodes.done;
};
