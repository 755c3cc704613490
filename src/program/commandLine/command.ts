// What a command is: its words on the command line, its help, and what it does.
import type { Disposable } from '../../base/disposable.ts';
import type { DefinitionChecker } from '../../definition/checkText.ts';
import type { InputChecker } from '../../definition/inputSchema.ts';
import type { OpenService, ServiceOptions } from '../openService.ts';
import type { GivenArguments } from './given.ts';
import type { Environment, NamedService } from './readService.ts';
import type { Stream, Terminal } from './terminal.ts';

export const exitCodes = {
  done: 0,
  /** It was done, and says no: an execution failed, a test failed, a check found an error. */
  no: 1,
  /** The command line is wrong. Nothing was sent. */
  usage: 2,
  /** The service refused, or can't be reached. */
  refused: 3,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface OptionSpec {
  /** What stands for its value in the help; undefined for an option without one. */
  readonly value?: string;
  readonly says: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Checks definitions and values in a thread, as windows do, so that none takes forever. */
export type Checker = DefinitionChecker & InputChecker & Disposable;

/** What the program's entry hands to commands. */
export interface Surroundings {
  readonly environment: Environment;
  /** stdout and stderr. */
  readonly output: Stream;
  readonly errors: Stream;
  /** The folder of the package, ending in "/". */
  readonly packageFolder: URL;
  /** What it opens is disposed of at the end. */
  readonly openChecker: () => Promise<Checker>;
  /** Of each service that is opened. Default: those of the machine. */
  readonly serviceOptions?: ServiceOptions;
}

/** One call of a command. */
export interface Invocation extends Pick<Surroundings, 'environment' | 'openChecker' | 'packageFolder'> {
  readonly given: GivenArguments;
  readonly terminal: Terminal;
  /** Aborted by Ctrl+C, by the end of the process, and after `--timeout`. */
  readonly signal: AbortSignal;
  /** Opens a service, by default that of the options. Throws a UsageError or a ConnectionError; it's disposed of at the end. */
  readonly openService: (named?: NamedService) => OpenService;
}

export type Run = (invocation: Invocation) => Promise<ExitCode>;

export interface Command {
  /** "workflow list". */
  readonly name: string;
  /** The arguments as the help shows them. "…" ends one that may be repeated; brackets stand around one that may be missing. */
  readonly takes: readonly string[];
  readonly says: string;
  readonly example: string;
  readonly options: OptionSpecs;
  /** Takes the options for every command that asks a service. */
  readonly asksService: boolean;
  /** Hands all that follows to another program. */
  readonly passesOn?: true;
  /** What it does is loaded when it's run: help needs none of it. */
  readonly load: () => Promise<Run>;
}
