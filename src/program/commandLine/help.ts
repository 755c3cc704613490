// The help texts, from the table of commands.
import { commonOptions, optionsOf, usageOf } from './arguments.ts';
import type { Command, OptionSpecs } from './command.ts';

const rows = (lines: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`).join('\n');
};

const renderOptions = (options: OptionSpecs): string =>
  rows(
    Object.entries(options).map(([name, { value, says }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      says,
    ]),
  );

export function renderCommandHelp(command: Command): string {
  const { says, example } = command;
  const lines = [usageOf(command), '', `${says}.`];
  if (command.passesOn !== true) lines.push('', 'Options:', renderOptions(optionsOf(command)));
  return [...lines, '', 'Example:', `  ${example}`].join('\n');
}

export function renderHelp(commands: readonly Command[]): string {
  return [
    'workflow-automation COMMAND …',
    '',
    'Works with a workflow automation service: its workflows, its executions and their tests.',
    '',
    rows([
      ...commands.map(({ name, takes, says }) => [[name, ...takes].join(' '), says] as const),
      ['help [COMMAND]', "Shows this, or a command's help; --version shows the version"],
    ]),
    '',
    "W is a workflow's ID or its exact name, E the ID of an execution, FILE a path or - for stdin.",
    'The service is that of --url or WORKFLOW_BASE_URL, with the API key in WORKFLOW_API_KEY.',
    '',
    'Options of all commands:',
    renderOptions(commonOptions),
    '',
    'Exit codes: 0 done; 1 it was done and says no; 2 the command line is wrong; 3 the service refused or',
    "can't be reached; 130 ended by Ctrl+C; 143 ended by SIGTERM.",
    '',
    'Example:',
    '  workflow-automation workflow execute "Order totals" --data \'{"orderId": 7}\' --wait',
  ].join('\n');
}
