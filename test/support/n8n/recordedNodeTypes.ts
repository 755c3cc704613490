// What the MCP server of the recorded n8n tells of node types: two, in n8n's notation.
import { isJsonArray, isJsonObject, type JsonObject } from '../../../src/base/json.ts';

interface NodeTypeTool {
  readonly name: string;
  readonly answer: (given: JsonObject) => JsonObject;
}

const declarations: Readonly<Record<string, string>> = {
  'n8n-nodes-base.set': `
// No mode discriminator was given.
/**
 * Set - Version 3.4
 * Discriminator: mode=manual
 */
type Assignments = { assignments: Array<{ id: string; name: string; value: unknown; type: 'string' | 'number' }> };

export type SetV34ManualParams = {
  mode: 'manual';
/**
 * Which fields go on
 * @displayOptions.show { /includeOtherFields: [true] }
 * @default all
 */
    include?: 'all' | 'selected' | Expression<string>;
/**
 * Fields to set
 * @default {}
 */
    assignments?: Assignments;
    options?: {
      /** Whether &quot;a.b&quot; sets <code>b</code> in a
       * @default true
       */
      dotNotation?: boolean | Expression<boolean>;
    };
};

export type SetV34ManualNode = { type: 'n8n-nodes-base.set'; version: 3.4; config: NodeConfig<SetV34ManualParams> };

export type SetV34RawParams = {
  mode: 'raw';
    jsonOutput?: IDataObject | string;
};`,
  'n8n-nodes-base.webhook': `export interface WebhookV2Params {
  path: string | Expression<string>;
};`,
};

const itemsOf = (given: JsonObject, name: string): readonly JsonObject[] => {
  const list = given[name];
  return isJsonArray(list) ? list.filter(isJsonObject) : [];
};

export const nodeTypeTools: readonly NodeTypeTool[] = [
  {
    name: 'get_node_types',
    answer(given) {
      const [{ nodeId } = {}] = itemsOf(given, 'nodeIds');
      const known = typeof nodeId === 'string' ? declarations[nodeId] : undefined;
      const definitions =
        known === undefined
          ? `\n\n# Errors\n\nNode type ${JSON.stringify(nodeId)} not found.`
          : `# TypeScript Type Definitions\n\n\`\`\`typescript${known}\n\`\`\``;
      return { structuredContent: { definitions } };
    },
  },
  {
    name: 'validate_node_config',
    answer(given) {
      const results = itemsOf(given, 'nodes').map(({ type, parameters }, index) => {
        const mode = isJsonObject(parameters) ? parameters['mode'] : undefined;
        const isRight =
          type !== 'n8n-nodes-base.set' || mode === undefined || mode === 'manual' || mode === 'raw';
        const message = `Invalid value for "parameters.mode": got ${JSON.stringify(mode)}, expected one of: "manual", "raw".`;
        return {
          index,
          type: type ?? null,
          valid: isRight,
          ...(isRight ? {} : { errors: [{ path: '', message }] }),
        };
      });
      return { structuredContent: { valid: results.every(({ valid }) => valid), results } };
    },
  },
];
