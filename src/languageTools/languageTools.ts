// The one table of tools for language models. VS Code and MCP offer these.
import type { LanguageTool } from './languageTool.ts';
import { executeWorkflow, retryExecution, saveDefinition } from './changing.ts';
import { explainFailureTool, getExecution, listExecutions } from './readingExecutions.ts';
import { checkDefinition, getDefinition, listWorkflows } from './readingWorkflows.ts';

export const languageTools = {
  listWorkflows,
  getDefinition,
  checkDefinition,
  listExecutions,
  getExecution,
  explainFailure: explainFailureTool,
  executeWorkflow,
  retryExecution,
  saveDefinition,
} as const satisfies Readonly<Record<string, LanguageTool>>;

export type ToolName = keyof typeof languageTools;
