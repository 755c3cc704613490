// What expressions read: nodes that exist and have run before, and members that the trigger's schema knows.
import * as l10n from '@vscode/l10n';
import { isSecretName } from '../domain/secret.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { type FaultFix, type FoundFault, nameNode, replacements } from './definitionFault.ts';
import type { ConfiguredNode, Graph } from './graph.ts';
import { canReadSecrets, isForEach } from './nodeTypes.ts';
import type { ReadExpression } from './expressions.ts';
import { type Reference, type ReferenceStep, builtInFunctions } from './references.ts';

/** A text of a node's config with an expression in it. */
export interface ExpressionText {
  readonly node: ConfiguredNode;
  /** The path of the text in the definition. */
  readonly path: readonly string[];
  /** Where the expression begins in the text. */
  readonly start: number;
}

export class ReferenceCheck {
  readonly #nodes: ReadonlyMap<string, ConfiguredNode>;
  readonly #inputSchema: JsonValue | undefined;
  /** undefined while the graph has faults: the order of the nodes isn't known then. */
  readonly #graph: Graph<ConfiguredNode> | undefined;
  readonly #places: ReadonlyMap<string, number>;

  constructor(nodes: readonly ConfiguredNode[], graph: Graph<ConfiguredNode> | undefined) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#inputSchema = nodes.find(({ type }) => type === 'trigger')?.config['inputSchema'];
    this.#graph = graph;
    this.#places = new Map(graph?.order.map(({ id }, place) => [id, place]));
  }

  check(expression: ExpressionText, { references, unbound }: ReadExpression): readonly FoundFault[] {
    return [
      ...references.flatMap((reference) => this.#checkReference(expression, reference) ?? []),
      ...unbound.map((step) => unboundFault(expression, step)),
    ];
  }

  #checkReference(expression: ExpressionText, [root, ...members]: Reference): FoundFault | undefined {
    if (root.name === 'secrets') return checkSecret(expression, root, members[0]);
    if (root.name === 'input') return this.#checkInput(expression, members);
    const [node] = members;
    if (root.name === 'nodes') return node && this.#checkNode(expression, node);
    return this.#checkRoot(expression, root);
  }

  /** A name that nothing defines is null, and the execution continues with it. */
  #checkRoot(expression: ExpressionText, root: ReferenceStep): FoundFault | undefined {
    const isInLoop = this.#isInLoop(expression);
    const isOfLoop = ofLoops.includes(root.name);
    if (isOfLoop && isInLoop) return undefined;
    const subject = [expression.path.at(-1) ?? '', nameNode(expression.node.id), root.name] as const;
    return warningAt(
      expression,
      root,
      isOfLoop
        ? l10n.t('"{0}" of {1} reads "{2}", which exists only inside a for-each', ...subject)
        : l10n.t('"{0}" of {1} reads "{2}", which doesn\'t exist', ...subject),
      () =>
        replacements(root.name, [
          'input',
          'nodes',
          ...(isInLoop ? ofLoops : []),
          ...(canReadSecrets(expression.node.type, expression.path[3] ?? '') ? ['secrets'] : []),
        ]),
    );
  }

  /** The result of a loop is computed in each of its iterations. While the graph has faults, the loops aren't known. */
  #isInLoop({ node, path }: ExpressionText): boolean {
    if (this.#graph === undefined || this.#graph.owner(node.id) !== null) return true;
    return isForEach(node.type) && path.at(-1) === 'result';
  }

  #checkNode(expression: ExpressionText, step: ReferenceStep): FoundFault | undefined {
    const member = expression.path.at(-1) ?? '';
    const reader = nameNode(expression.node.id);
    if (!this.#nodes.has(step.name))
      return faultAt(
        expression,
        step,
        l10n.t('"{0}" of {1} reads {2}, which doesn\'t exist', member, reader, nameNode(step.name)),
        () =>
          replacements(
            step.name,
            [...this.#nodes.keys()].filter((id) => this.#canHaveRun(id, expression)),
          ),
      );
    if (this.#canHaveRun(step.name, expression)) return undefined;
    return warningAt(
      expression,
      step,
      l10n.t('"{0}" of {1} reads {2}, which can\'t have run before', member, reader, nameNode(step.name)),
    );
  }

  /** The nodes of a scope run in order, a loop in its place with all of its body. */
  #canHaveRun(id: string, { node, path }: ExpressionText): boolean {
    const graph = this.#graph;
    if (graph === undefined) return true;
    const scope = graph.owner(id);
    // The result of a loop is computed after its body.
    if (scope === node.id && path.at(-1) === 'result') return true;
    let reader: string | null = node.id;
    while (reader !== null && graph.owner(reader) !== scope) reader = graph.owner(reader);
    return reader !== null && (this.#places.get(id) ?? 0) < (this.#places.get(reader) ?? 0);
  }

  #checkInput(expression: ExpressionText, members: readonly ReferenceStep[]): FoundFault | undefined {
    let schema = this.#inputSchema;
    for (const [index, step] of members.entries()) {
      const known = schema;
      const found = findMember(known, step.name);
      if (found === 'open') return undefined;
      if (found === 'unknown' || found === 'excluded') {
        const [member, reader] = [expression.path.at(-1) ?? '', nameNode(expression.node.id)];
        const name = ['input', ...members.slice(0, index + 1).map((each) => each.name)].join('.');
        return warningAt(
          expression,
          step,
          found === 'excluded'
            ? l10n.t(
                '"{0}" of {1} reads "{2}", which the trigger\'s schema doesn\'t allow',
                member,
                reader,
                name,
              )
            : l10n.t('"{0}" of {1} reads "{2}", which isn\'t in the trigger\'s schema', member, reader, name),
          () => replacements(step.name, membersOf(known)),
        );
      }
      ({ schema } = found);
    }
    return undefined;
  }
}

/** What expressions of nodes in a loop can also read. */
const ofLoops: readonly string[] = ['item', 'index'];

function unboundFault(expression: ExpressionText, step: ReferenceStep): FoundFault {
  const message = l10n.t(
    '"{0}" of {1} uses "{2}", which is neither a JSONata function nor a variable of this expression',
    expression.path.at(-1) ?? '',
    nameNode(expression.node.id),
    step.name,
  );
  return warningAt(expression, step, message, () =>
    replacements(
      step.name,
      [...builtInFunctions].map((name) => `$${name}`),
    ),
  );
}

/** Secrets are for what an HTTP request node sends, and nowhere else. */
function checkSecret(
  expression: ExpressionText,
  root: ReferenceStep,
  secret: ReferenceStep | undefined,
): FoundFault | undefined {
  const { node, path } = expression;
  const subject = [path.at(-1) ?? '', nameNode(node.id)] as const;
  if (!canReadSecrets(node.type, path[3] ?? ''))
    return faultAt(
      expression,
      root,
      l10n.t(
        '"{0}" of {1} reads a secret, which only "url", "query", "headers" and "body" of an httpRequest node can',
        ...subject,
      ),
    );
  if (secret === undefined)
    return faultAt(expression, root, l10n.t('"{0}" of {1} reads "secrets" without a name', ...subject));
  if (isSecretName(secret.name)) return undefined;
  return faultAt(
    expression,
    secret,
    l10n.t(
      '"{0}" of {1} reads the secret "{2}", which isn\'t a name: it has at most 64 letters, digits and _, and doesn\'t begin with a digit',
      ...subject,
      secret.name,
    ),
  );
}

/** Keywords with which a schema can have members that aren't in its `properties`. */
const openers = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'dependentSchemas',
];

type MemberLookup = 'open' | 'unknown' | 'excluded' | { readonly schema: JsonValue };

/** `open`: the schema doesn't say which members there are. An expression reads a member of each item of a list. */
function findMember(schema: JsonValue | undefined, name: string): MemberLookup {
  if (!isJsonObject(schema)) return 'open';
  if (openers.some((keyword) => Object.hasOwn(schema, keyword))) return 'open';
  const { properties, additionalProperties, items } = schema;
  if (!isJsonObject(properties)) return items === undefined ? 'open' : findMember(items, name);
  if (Object.hasOwn(properties, name)) return { schema: properties[name] ?? null };
  if (additionalProperties === undefined) return 'unknown';
  if (additionalProperties === false) return 'excluded';
  return isJsonObject(additionalProperties) ? { schema: additionalProperties } : 'open';
}

/** The members of a schema that lists all of them. */
function membersOf(schema: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { properties, items } = schema;
  return isJsonObject(properties) ? Object.keys(properties) : membersOf(items);
}

function faultAt(
  { path, start }: ExpressionText,
  step: ReferenceStep,
  message: string,
  findFixes?: () => readonly FaultFix[],
): FoundFault {
  const within = { offset: start + step.offset, length: step.length };
  return { path, message, rule: 'nodeType', within, ...(findFixes && { findFixes }) };
}

function warningAt(...fault: Parameters<typeof faultAt>): FoundFault {
  return { ...faultAt(...fault), isWarning: true };
}
