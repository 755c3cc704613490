// The command line: finds the command, runs it, and turns what comes of it into an exit code.
import { isAbortError } from '../../base/async.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { plainLine } from '../../base/format.ts';
import { messageOf } from '../../base/reason.ts';
import { Deadline, systemClock } from '../../base/time.ts';
import { isConnectionError, SearchError } from '../../domain/errors.ts';
import { AmbiguousName } from '../findWorkflow.ts';
import { FilesError } from '../../workflowFiles/filesError.ts';
import { describeTypedError } from '../../words/describeTypedError.ts';
import { readArguments, refuseSecrets } from './arguments.ts';
import { type Command, type ExitCode, exitCodes, type Surroundings } from './command.ts';
import { FollowingEnded } from './following.ts';
import { GivenArguments, UsageError } from './given.ts';
import { commands } from './commandTable.ts';
import { renderCommandHelp, renderHelp } from './help.ts';
import { secretsIn } from './readService.ts';
import { Terminal } from './terminal.ts';
import { readVersion } from './version.ts';

export interface Interrupts {
  readonly signal: AbortSignal;
  /** The exit code of what has ended the program; undefined while nothing has. */
  readonly exitCode: () => ExitCode | undefined;
}

const listed = 'workflow-automation help lists the commands.';

/** The command that the words begin with, and the words after it. */
function findCommand(words: readonly string[]): {
  readonly command: Command;
  readonly rest: readonly string[];
} {
  for (const command of commands) {
    const names = command.name.split(' ');
    if (names.every((name, position) => name === words[position]))
      return { command, rest: words.slice(names.length) };
  }
  const [first = ''] = words;
  if (first.startsWith('-')) throw new UsageError(`The command comes first, then its options. ${listed}`);
  const begun = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  const known = begun.length > 0 ? `There are: ${begun.join(', ')}.` : listed;
  const asked = words.slice(0, 2).filter((word) => !word.startsWith('-'));
  throw new UsageError(`There's no command "${plainLine(asked.join(' '), 80)}". ${known}`);
}

/** Never rejects. words: without the program's own. */
export async function runCommandLine(
  words: readonly string[],
  surroundings: Surroundings,
  interrupts: Interrupts,
): Promise<ExitCode> {
  const { environment, output, errors } = surroundings;
  const has = (option: string): boolean => words.includes(option);
  if (has('--no-color')) process.env['NO_COLOR'] = '1';
  const terminal = new Terminal({ output, errors, isJson: has('--json'), isQuiet: has('--quiet') });
  try {
    refuseSecrets(words, secretsIn(environment));
    return await run(words, terminal, surroundings, interrupts);
  } catch (error) {
    return fail(terminal, error, interrupts);
  }
}

async function run(
  words: readonly string[],
  terminal: Terminal,
  surroundings: Surroundings,
  { signal }: Interrupts,
): Promise<ExitCode> {
  const { environment, packageFolder, openChecker } = surroundings;
  const [first = 'help'] = words;
  if (first === '--version') {
    terminal.write(readVersion(packageFolder));
    return exitCodes.done;
  }
  if (['help', '--help', '-h'].includes(first)) {
    const about = words.slice(1).filter((word) => !word.startsWith('-'));
    terminal.write(about.length === 0 ? renderHelp(commands) : renderCommandHelp(findCommand(about).command));
    return exitCodes.done;
  }
  const { command, rest } = findCommand(words);
  const given =
    command.passesOn === true ? new GivenArguments(new Map(), rest) : readArguments(command, rest);
  if (given.has('help')) {
    terminal.write(renderCommandHelp(command));
    return exitCodes.done;
  }
  const seconds = given.count('timeout');
  const work = await command.load();
  const opened = new DisposableStore();
  const deadline = new Deadline(systemClock, signal);
  if (seconds !== undefined) deadline.restart(seconds * 1000);
  try {
    const open = command.asksService ? (await import('./openForCommand.ts')).openForCommand : undefined;
    return await work({
      given,
      terminal,
      environment,
      packageFolder,
      signal: deadline.signal,
      openChecker: async () => opened.add(await openChecker()),
      openService: (named) =>
        open === undefined ? notAsked(command) : opened.add(open(given, terminal, surroundings, named)),
    });
  } finally {
    opened.dispose();
    deadline.dispose();
  }
}

function notAsked({ name }: Command): never {
  throw new Error(`"${name}" asks no service.`);
}

/** Says what went wrong, in the words of the windows. */
function fail(terminal: Terminal, error: unknown, { exitCode }: Interrupts): ExitCode {
  const interrupted = exitCode();
  const isFollowing = error instanceof FollowingEnded;
  // Where nobody reads any more, nothing is left to say.
  if (isFollowing && interrupted !== exitCodes.done)
    terminal.fail(`No longer followed. The execution ${error.executionId} goes on.`);
  if (interrupted !== undefined) return interrupted;
  const cause = isFollowing ? error.cause : error;
  if (error instanceof UsageError || error instanceof AmbiguousName || error instanceof FilesError) {
    terminal.fail(error.message);
    return exitCodes.usage;
  }
  if (isAbortError(cause) || (cause instanceof Error && cause.name === 'TimeoutError')) {
    if (!isFollowing) terminal.fail('It took longer than --timeout allows.');
    return exitCodes.refused;
  }
  const described = describeTypedError(error)?.message;
  terminal.fail(described ?? `Something went wrong: ${plainLine(messageOf(error))}`);
  return isConnectionError(error) || isQueryWrong(error) ? exitCodes.usage : exitCodes.refused;
}

function isQueryWrong(error: unknown): boolean {
  return error instanceof SearchError && error.reason.kind === 'mistakes';
}
