// What a tool is about to change, for the person who confirms it.
import * as vscode from 'vscode';
import * as v from 'valibot';
import { writeTruncatedJson } from '../../base/boundedJson.ts';
import { jsonLine, jsonLines, plainLine, truncateJson } from '../../base/format.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import {
  codeBlock,
  formatted,
  type Markdown,
  type MarkdownPart,
  paragraphs,
  toMarkdownString,
} from '../../editor/markdown.ts';
import { executeWorkflow, retryExecution, saveDefinition } from '../../languageTools/changing.ts';
import type { ToolName } from '../../languageTools/languageTools.ts';
import { formatField } from '../../base/fieldPath.ts';
import { type Difference, walkDifferences } from '../../model/comparison/jsonDifferences.ts';
import { chooseRetryDefinition } from '../../model/workflows/retryDefinition.ts';
import { toDefinition } from '../../model/workflows/workflowDefinition.ts';
import type { App } from '../../ui/app.ts';

interface ConfirmationDeps {
  readonly executions: Pick<App['executions'], 'get' | 'read'>;
  readonly workflows: Pick<App['workflows'], 'get' | 'read'>;
}

const shownCharacters = 2000;
const shownDifferences = 30;
const valueLength = 160;

type Confirm = (
  deps: ConfirmationDeps,
  connectionId: string,
  input: object,
  signal: AbortSignal,
) => Promise<vscode.LanguageModelToolConfirmationMessages | undefined>;

function createConfirm<T>(
  { input: schema }: { readonly input: v.GenericSchema<unknown, T> },
  describe: (
    deps: ConfirmationDeps,
    connectionId: string,
    input: T,
    signal: AbortSignal,
  ) => Promise<{ readonly title: string; readonly parts: readonly MarkdownPart[] }>,
): Confirm {
  return async (deps, connectionId, given, signal) => {
    const { success, output } = v.safeParse(schema, given);
    // The tool refuses it itself, with words.
    if (!success) return undefined;
    const { title, parts } = await describe(deps, connectionId, output, signal);
    return { title, message: toMarkdownString(paragraphs(parts)) };
  };
}

/** By the tools that change something. */
export const confirmations: Readonly<Partial<Record<ToolName, Confirm>>> = {
  executeWorkflow: createConfirm(executeWorkflow, async (deps, connectionId, input, signal) => {
    const { workflowId, definition, pinned, until } = input;
    const name = await nameOf(deps, { connectionId, workflowId }, signal);
    const isDraft = definition !== undefined || pinned !== undefined || until !== undefined;
    return {
      title: isDraft
        ? vscode.l10n.t('Execute a draft of "{0}"?', name)
        : vscode.l10n.t('Execute "{0}"?', name),
      parts: [
        ...withTitle(vscode.l10n.t('Input'), json(input.input ?? {})),
        ...(pinned === undefined ? [] : withTitle(vscode.l10n.t('Pins'), json(pinned))),
        ...(definition === undefined
          ? []
          : withTitle(
              vscode.l10n.t('Changes to the definition'),
              await renderChanges(deps, { connectionId, workflowId }, definition, signal),
            )),
      ],
    };
  }),
  retryExecution: createConfirm(retryExecution, async (deps, connectionId, input, signal) => {
    const { executionId, fromNodeId } = input;
    const target = { connectionId, executionId };
    const name = await nameOfExecution(deps, target, signal);
    const definition = input.definition ?? (await chooseRetryDefinition(deps, target, signal));
    return {
      title: vscode.l10n.t('Retry an execution of "{0}"?', name),
      parts: [
        plainLine(executionId, 100),
        ...(fromNodeId === undefined ? [] : [vscode.l10n.t('From node: {0}', plainLine(fromNodeId, 100))]),
        definition === 'same'
          ? vscode.l10n.t('With the definition that it ran.')
          : vscode.l10n.t('With the deployed definition.'),
      ],
    };
  }),
  saveDefinition: createConfirm(saveDefinition, async (deps, connectionId, input, signal) => {
    const { workflowId, definition, deploy } = input;
    const deploys = deploy === true ? [vscode.l10n.t("It's deployed, too.")] : [];
    if (workflowId === undefined)
      return { title: vscode.l10n.t('Create this workflow?'), parts: [json(definition), ...deploys] };
    const target = { connectionId, workflowId };
    return {
      title: vscode.l10n.t('Save the definition of "{0}"?', await nameOf(deps, target, signal)),
      parts: [await renderChanges(deps, target, definition, signal), ...deploys],
    };
  }),
};

const withTitle = (title: string, part: MarkdownPart): readonly MarkdownPart[] => [
  formatted`**${title}**`,
  part,
];

/** Masks keys before the text is truncated. */
function json(value: JsonValue): Markdown {
  const text = hideKeys(jsonLines(writeTruncatedJson(value, 2 * shownCharacters, '  ')));
  return codeBlock(truncateJson(text, shownCharacters), 'json');
}

async function nameOf(
  { workflows }: ConfirmationDeps,
  target: WorkflowTarget,
  signal: AbortSignal,
): Promise<string> {
  const { name } = await workflows.get(target, signal);
  return plainLine(hideKeys(name), 80);
}

async function nameOfExecution(
  deps: ConfirmationDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<string> {
  const { workflowId } = await deps.executions.get(target, signal);
  if (workflowId === null) return plainLine(target.executionId, 80);
  return nameOf(deps, { connectionId: target.connectionId, workflowId }, signal);
}

/** Against what the service has; members that are left out stay. */
async function renderChanges(
  { workflows }: ConfirmationDeps,
  target: WorkflowTarget,
  mine: JsonObject,
  signal: AbortSignal,
): Promise<Markdown> {
  const theirs = toDefinition(await workflows.read(target, signal));
  const differences = [...walkDifferences(theirs, { ...theirs, ...mine }, [])].filter(
    (each) => each !== null,
  );
  if (differences.length === 0) return paragraphs([vscode.l10n.t('No differences.')]);
  const more = differences.length - shownDifferences;
  const lines = differences.slice(0, shownDifferences).flatMap(renderDifference);
  const rest = more > 0 ? [vscode.l10n.t('… and {0} more', more)] : [];
  return codeBlock(hideKeys([...lines, ...rest].join('\n')), 'text');
}

function renderDifference({ path, left, right }: Difference): readonly string[] {
  return [
    plainLine(formatField(path), valueLength),
    ...(left === undefined ? [] : [`- ${renderValue(left)}`]),
    ...(right === undefined ? [] : [`+ ${renderValue(right)}`]),
  ];
}

function renderValue(value: JsonValue): string {
  const length = 4 * valueLength;
  return truncateJson(hideKeys(jsonLine(writeTruncatedJson(value, length), length)), valueLength);
}
