// The check before a deployment, and while a definition is written: the JSON Schema, the rules of the graph, and the syntax of expressions.
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { checkConfigs, checkRequests } from './checkConfigs.ts';
import { checkExpressions } from './checkExpressions.ts';
import { checkGraph } from './checkGraph.ts';
import { configSchemaOf } from './configSchema.ts';
import { findEdges } from './definition.ts';
import {
  choices,
  type DefinitionFault,
  type FaultFix,
  type FoundFault,
  nameEdge,
  nameNode,
  replacements,
  reportFaults,
} from './definitionFault.ts';
import { type ExpressionReader, readExpression } from './expressions.ts';
import type { Fault, Faults } from './faultList.ts';
import { schemaFaults } from './faults.ts';
import { checkInputSchemas } from './inputSchema.ts';
import { isNodeType, nodeTypes } from './nodeTypes.ts';

/** A definition as its author wrote it. */
export interface UncheckedDefinition extends JsonObject {
  readonly nodes: JsonValue;
  readonly edges: JsonValue;
}

const CheckedNodes = v.array(
  v.object({
    id: v.string(),
    type: v.string(),
    config: v.fallback(v.custom<JsonObject>(isJsonObject), {}),
  }),
);

const { node } = schema.definitions;
/** Another service may have other node types, and other ids. */
const schemaOfOthers = {
  ...schema,
  definitions: {
    ...schema.definitions,
    node: { ...node, properties: { ...node.properties, id: { type: 'string' }, type: { type: 'string' } } },
  },
};

/**
 * Returns the faults that prevent deployment to the local service, or those that another service probably has too; then the warnings.
 * `read`: reads an expression.
 */
export function checkDefinition(
  definition: UncheckedDefinition,
  isLocal = true,
  read: ExpressionReader = readExpression,
): Faults<DefinitionFault> {
  const { faults, more } = findFaults(definition, isLocal, read);
  return reportFaults([...faults.filter(isError), ...faults.filter((fault) => !isError(fault))], more);
}

/** The same without the warnings: what the local service refuses to deploy for. */
export function findRefusals(definition: UncheckedDefinition): Faults<DefinitionFault> {
  const { faults, more } = findFaults(definition, true, readExpression);
  return reportFaults(faults.filter(isError), more);
}

const isError = ({ isWarning = false }: FoundFault): boolean => !isWarning;

function findFaults(
  definition: UncheckedDefinition,
  isLocal: boolean,
  read: ExpressionReader,
): Faults<FoundFault> {
  const bySchema = schemaFaults(isLocal ? schema : schemaOfOthers, '7', definition);
  const described = bySchema.faults.map((fault): FoundFault => ({
    path: fault.path,
    message: describeSchemaFault(definition, fault),
    rule: 'nodeType',
    findFixes: () => fixesOfSchema(definition, fault),
  }));
  const nodes = v.safeParse(CheckedNodes, definition.nodes);
  const edges = findEdges(definition.edges);
  if (!nodes.success) return { faults: described, more: bySchema.more };
  const checked = edges && checkGraph(nodes.output, edges);
  const inExpressions = checkExpressions(nodes.output, checked?.graph, read);
  // Another service may know more of them.
  const inConfigs = isLocal
    ? [...checkInputSchemas(nodes.output), ...checkRequests(nodes.output), ...checkConfigs(nodes.output)]
    : [];
  return {
    faults: [...described, ...(checked?.faults ?? []), ...inExpressions, ...inConfigs],
    more: bySchema.more,
  };
}

/** A type that doesn't exist, and a value of a config that isn't one of a few. */
function fixesOfSchema(definition: UncheckedDefinition, { path }: Fault): readonly FaultFix[] {
  const [list, index = '', member, inner = '', ...deeper] = path;
  const node = list === 'nodes' && isJsonArray(definition.nodes) && definition.nodes[Number(index)];
  if (!isJsonObject(node) || typeof node['type'] !== 'string' || deeper.length > 0) return [];
  const { type, config } = node;
  if (member === 'type') return isNodeType(type) ? [] : replacements(type, nodeTypes);
  if (member !== 'config' || !isJsonObject(config)) return [];
  const allowed = configSchemaOf(type)?.properties[inner]?.['enum'];
  const value = config[inner];
  return isJsonArray(allowed) && typeof value === 'string'
    ? choices(
        value,
        allowed.filter((each) => typeof each === 'string'),
      )
    : [];
}

/** Returns the faults of the schema, in words that name the node or the edge. */
function describeSchemaFault(definition: UncheckedDefinition, { path, message }: Fault): string {
  const [list = '', index = '', member, ...inner] = path;
  const items = list === 'nodes' || list === 'edges' ? definition[list] : undefined;
  const item = isJsonArray(items) ? items[Number(index)] : undefined;
  if (item === undefined || index === '') return withSubject(undefined, path, message);
  const own = path.slice(2);
  if (list === 'edges') return withSubject(nameEdge(Number(index)), own, message);
  const { id = null, type = null } = isJsonObject(item) ? item : {};
  const subject =
    typeof id === 'string' && member !== 'id' ? nameNode(id) : l10n.t('node {0}', Number(index) + 1);
  const isMember = inner.length === 0;
  if (isMember && member === 'type' && typeof type === 'string' && !isNodeType(type))
    return l10n.t('{0} has a type that doesn\'t exist ("{1}")', subject, type);
  if (isMember && member === 'id' && typeof id === 'string' && id !== '')
    return l10n.t(
      "the ID of {0} can have at most 64 letters, digits and _, and can't begin with a digit",
      subject,
    );
  return withSubject(subject, own, message);
}

/** Adds the subject of the message: an owner, a member of it, or both. */
function withSubject(owner: string | undefined, path: readonly string[], message: string): string {
  // A missing member is named by the message itself.
  const isNamed = message.startsWith('"');
  const member = isNamed ? '' : nameMember(path);
  if (owner === undefined) {
    if (isNamed) return message;
    return `${member === '' ? l10n.t('the definition') : member} ${message}`;
  }
  return member === '' && !isNamed ? `${owner} ${message}` : `${owner}: ${`${member} ${message}`.trim()}`;
}

function nameMember(path: readonly string[]): string {
  const last = path.at(-1);
  if (last === undefined) return '';
  const list = path.at(-2);
  return list !== undefined && /^\d+$/.test(last)
    ? l10n.t('item {0} of "{1}"', Number(last) + 1, list)
    : `"${last}"`;
}
