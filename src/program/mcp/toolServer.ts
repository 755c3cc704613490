// The tools for language models by the Model Context Protocol.
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { inputSchemaOf } from '../../languageTools/inputSchema.ts';
import type { LanguageTool } from '../../languageTools/languageTool.ts';
import { languageTools } from '../../languageTools/languageTools.ts';
import type { ToolPorts } from '../../languageTools/toolPorts.ts';

export interface ToolServerOptions {
  readonly ports: ToolPorts;
  readonly connectionId: string;
  /** Also offers the tools that execute, retry and save. */
  readonly allowsChanges: boolean;
  readonly version: string;
}

type OfferedTools = ReadonlyMap<string, LanguageTool>;

const instructions =
  'Tools for a workflow automation service. To repair a failure: explainFailure, getDefinition, checkDefinition of the corrected text, executeWorkflow with it as a draft, saveDefinition, retryExecution.';

/** Connect it to a transport. */
export function createToolServer(options: ToolServerOptions): McpServer {
  const { allowsChanges, version } = options;
  const tools: OfferedTools = new Map(
    Object.entries<LanguageTool>(languageTools).filter(
      ([, { annotations }]) => allowsChanges || annotations.readOnlyHint,
    ),
  );
  const mcp = new McpServer(
    { name: 'workflow-automation', title: 'Workflow Automation', version },
    { capabilities: { tools: {} }, instructions },
  );
  mcp.server.setRequestHandler('tools/list', () => ({ tools: [...tools].map(describeTool) }));
  mcp.server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { signal, notify } = mcpReq;
    const progressToken = params._meta?.progressToken;
    const { text, isError } = await requireTool(tools, params.name).invoke(params.arguments, {
      ports: options.ports,
      connectionId: options.connectionId,
      signal,
      onProgress: (progress, message) => {
        if (progressToken === undefined) return;
        const notification = { progressToken, progress, message };
        // A client that is gone hears of nothing.
        notify({ method: 'notifications/progress', params: notification }).catch(() => undefined);
      },
    });
    return { content: [{ type: 'text', text }], isError };
  });
  return mcp;
}

function describeTool([name, tool]: readonly [string, LanguageTool]) {
  const { title, description, annotations } = tool;
  return { name, title, description, inputSchema: inputSchemaOf(tool), annotations };
}

function requireTool(tools: OfferedTools, name: string): LanguageTool {
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  const isKnown = Object.hasOwn(languageTools, name);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    isKnown
      ? `The tool "${name}" changes something. Start the server with --allow-changes to have it.`
      : `There is no tool "${name}". The tools are ${[...tools.keys()].join(', ')}.`,
  );
}
