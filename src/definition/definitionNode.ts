import type { Node } from 'jsonc-parser';
import { findAt } from './jsonNodes.ts';
import { readJsonValue } from './jsonText.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { type DefinitionFormat, definitionFormats } from '../domain/definitionFormat.ts';
import { type ExpressionPlace, findExpressionPlaces } from './expressionPlaces.ts';
import { findCode, type NodeCode } from './nodeCode.ts';
import { syntaxKind } from './nodeTypes.ts';
import { locate } from './places.ts';
import { endOf, type Range, rangeOf } from './range.ts';

/** A node as it stands in a definition's text. */
export class DefinitionNode implements Range {
  /** The name that edges and node runs use for it; '' without one. */
  readonly id: string;
  /** '' without one. */
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly #text: string;
  readonly #node: Node;
  readonly #format: DefinitionFormat;
  #knownExpressions: readonly ExpressionPlace[] | undefined;

  constructor(text: string, node: Node, format: DefinitionFormat) {
    this.#text = text;
    this.#node = node;
    this.#format = format;
    this.offset = node.offset;
    this.length = node.length;
    this.id = this.#textAt(definitionFormats[format].idMember);
    this.type = this.#textAt('type');
  }

  /** The id of a node without a name. Services call it in several ways. */
  get name(): string {
    for (const member of ['name', 'label', 'title']) {
      const name = this.#textAt(member);
      if (name !== '') return name;
    }
    return this.id;
  }

  get description(): string {
    return this.#textAt('description');
  }

  /** The value of its id. */
  get idRange(): Range {
    return this.#rangeOf(definitionFormats[this.#format].idMember) ?? this;
  }

  /** The value of its name, or else of its id: where it's marked. */
  get label(): Range {
    return this.#rangeOf('name') ?? this.idRange;
  }

  /** Its own text. */
  get text(): string {
    return this.#text.slice(this.offset, endOf(this));
  }

  /** The expressions that the local service evaluates, in text order. Other formats have other ones. */
  get expressions(): readonly ExpressionPlace[] {
    if (definitionFormats[this.#format].hasOwnExpressions) return [];
    return (this.#knownExpressions ??= findExpressionPlaces(this.#text, this.#node, this));
  }

  /** The same, and those that look like expressions, whichever service evaluates them. */
  get writtenExpressions(): readonly ExpressionPlace[] {
    return definitionFormats[this.#format].hasOwnExpressions
      ? []
      : findExpressionPlaces(this.#text, this.#node, this, syntaxKind);
  }

  /** The code among its parameters; undefined for a node without. */
  get code(): NodeCode | undefined {
    return definitionFormats[this.#format].hasParameters ? findCode(this.#node) : undefined;
  }

  /** What the types of its product are asked by; undefined in a format without. */
  get parameters(): JsonObject | undefined {
    return definitionFormats[this.#format].hasParameters ? this.#objectAt('parameters') : undefined;
  }

  /** The version of its type, in a format with parameters. */
  get typeVersion(): number {
    const value: unknown = findAt(this.#node, ['typeVersion'])?.value;
    return typeof value === 'number' ? value : 1;
  }

  /** The place of a part of its parameters; that of the nearest existing parent if it doesn't exist. */
  locateParameter(path: readonly string[]): Range {
    return locate(this.#text, this.#node, ['parameters', ...path]);
  }

  /** A text in its config. */
  config(member: string): string | undefined {
    const value: unknown = findAt(this.#node, ['config', member])?.value;
    return typeof value === 'string' ? value : undefined;
  }

  /** The headers in its config. */
  get headers(): JsonObject | undefined {
    return this.#objectAt('config', 'headers');
  }

  /** The JSON Schema that a trigger declares for the input. */
  get inputSchema(): JsonObject | undefined {
    return [['config'], [], ['data'], ['parameters']]
      .map((place) => this.#objectAt(...place, 'inputSchema'))
      .find((found) => found !== undefined);
  }

  #textAt(member: string): string {
    const value: unknown = findAt(this.#node, [member])?.value;
    return typeof value === 'string' ? value : '';
  }

  #objectAt(...path: readonly string[]): JsonObject | undefined {
    const found = findAt(this.#node, path);
    const value = found && readJsonValue(this.#text, found);
    return isJsonObject(value) ? value : undefined;
  }

  #rangeOf(member: string): Range | undefined {
    const value = findAt(this.#node, [member]);
    return value?.type === 'string' ? rangeOf(value) : undefined;
  }
}
