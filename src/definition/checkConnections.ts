// What is wrong with the connections of a document of n8n. Nothing else is checked: n8n publishes no rules of a document.
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import {
  type DefinitionFault,
  type FoundFault,
  nameNode,
  replacements,
  reportFaults,
} from './definitionFault.ts';
import type { Faults } from './faultList.ts';

/** Returns connections from and to missing nodes, and nodes that share the name that connections use. */
export function checkConnections({ nodes, connections }: JsonObject): Faults<DefinitionFault> {
  const names = isJsonArray(nodes) ? nodes.map(nameOf) : [];
  const known = new Set(names.filter((name) => name !== undefined));
  return reportFaults([...findRepeated(names), ...findMissing(connections, known)]);
}

function nameOf(node: JsonValue): string | undefined {
  const name = isJsonObject(node) ? node['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function findRepeated(names: readonly (string | undefined)[]): readonly FoundFault[] {
  const seen = new Set<string>();
  return names.flatMap((name, index): readonly FoundFault[] => {
    if (name === undefined) return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    if (!isRepeated) return [];
    const message = l10n.t('the name "{0}" is used by another node', name);
    return [{ path: ['nodes', String(index), 'name'], message, rule: 'structure' }];
  });
}

function findMissing(connections: JsonValue | undefined, known: ReadonlySet<string>): readonly FoundFault[] {
  return entriesOf(connections).flatMap(([source, byType]) => {
    const path = ['connections', source];
    const targets = entriesOf(byType).flatMap(([type, outputs]) =>
      entriesOf(outputs).flatMap(([output, ends]) =>
        entriesOf(ends).flatMap(([index, end]) =>
          findTarget(end, [...path, type, output, index, 'node'], source, known),
        ),
      ),
    );
    return known.has(source) || !hasEnds(byType)
      ? targets
      : [missing(source, { path, isName: true }, known), ...targets];
  });
}

/** An end that leads nowhere connects nothing. */
function hasEnds(byType: JsonValue): boolean {
  const outputs = entriesOf(byType).flatMap(([, each]) => entriesOf(each));
  return outputs.some(([, ends]) => entriesOf(ends).length > 0);
}

function findTarget(
  end: JsonValue,
  path: readonly string[],
  source: string,
  known: ReadonlySet<string>,
): readonly FoundFault[] {
  const target = isJsonObject(end) ? end['node'] : undefined;
  if (typeof target !== 'string' || known.has(target)) return [];
  return [missing(target, { path }, known, source)];
}

function missing(
  name: string,
  place: Pick<FoundFault, 'path' | 'isName'>,
  known: ReadonlySet<string>,
  source?: string,
): FoundFault {
  const message =
    source === undefined
      ? l10n.t('a connection starts at a node that doesn\'t exist ("{0}")', name)
      : l10n.t('{0} is connected to a node that doesn\'t exist ("{1}")', nameNode(source), name);
  return { ...place, message, rule: 'structure', findFixes: () => replacements(name, known) };
}

/** The members of an object, or the items of a list with their indexes. */
function entriesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, index) => [String(index), item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}
