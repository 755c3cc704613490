// The page on node types: its tables come from the schema of definitions, everything else is written by hand.
import { format } from 'prettier';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { configSchemaOf } from '../../src/definition/configSchema.ts';
import { nodeTypes } from '../../src/definition/nodeTypes.ts';

export const pagePath = new URL('../../media/node-types.md', import.meta.url);

/** Returns the page with its tables as the schema has them. */
export async function fillPage(page: string): Promise<string> {
  const [first = '', ...sections] = page.split(/^(?=## )/m);
  const filled = sections.map((section) => fill(section, 'config', describeConfig(typeOf(section))));
  return format(fill(first, 'types', listTypes()) + filled.join(''), {
    parser: 'markdown',
    printWidth: 140,
    singleQuote: true,
  });
}

/** The type that a section is about; another heading for what all types share. */
export function typeOf(section: string): string {
  return /^## (.*)$/m.exec(section)?.[1] ?? '';
}

function fill(section: string, name: string, table: string): string {
  const region = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
  return section.replace(region, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

function listTypes(): string {
  const { enumDescriptions } = schema.definitions.node.properties.type;
  return toTable(
    ['type', 'what it does'],
    nodeTypes.map((type, index) => [`[\`${type}\`](#${type.toLowerCase()})`, enumDescriptions[index] ?? '']),
  );
}

function describeConfig(type: string): string {
  const config = configSchemaOf(type);
  if (config === undefined) return '';
  const { required, properties } = config;
  return toTable(
    ['config', 'type', 'default', 'bounds', 'what it is'],
    Object.entries(properties).map(([name, member]) => [
      `\`${name}\``,
      typeWords(member),
      required.includes(name) ? '**required**' : code(member['default']),
      boundWords(member),
      text(member['description']).replaceAll('<', '\\<'),
    ]),
  );
}

function typeWords(member: JsonObject): string {
  const { $ref, type, enum: values, items } = member;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  if (isJsonArray(values)) return values.map(code).join(', ');
  if (isJsonArray(type)) return type.map(text).join(' or ');
  if (type === 'array' && isJsonObject(items)) return `list of ${typeWords(items)}`;
  return typeof type === 'string' ? type : 'any JSON';
}

function boundWords(member: JsonObject): string {
  const { minimum, maximum, pattern, items } = member;
  if (minimum !== undefined && maximum !== undefined) return `${text(minimum)} to ${text(maximum)}`;
  if (pattern !== undefined) return code(pattern);
  return isJsonObject(items) ? boundWords(items) : '';
}

const code = (value: JsonValue | undefined): string => (value === undefined ? '' : `\`${text(value)}\``);
const text = (value: JsonValue | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
