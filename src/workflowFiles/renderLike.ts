// Writes a definition as its author formats it, so that a comparison shows only real differences.
import type { Node } from 'jsonc-parser';
import { withoutMark } from '../base/format.ts';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  stringifyJson,
} from '../base/json.ts';
import { keepSchema, renderDefinition } from '../model/workflows/workflowDefinition.ts';
import { readJsonText } from '../definition/jsonText.ts';
import { itemKey } from '../definition/mergeDefinitions.ts';
import { endOf } from '../definition/range.ts';

/** Returns the draft's text with the members of the deployed definition in place of its own. */
export function renderDeployed(text: string, deployed: JsonObject): string {
  const draft = parseJson(text);
  return isJsonObject(draft) ? renderLike(text, { ...draft, ...deployed }) : renderDefinition(deployed);
}

/**
 * Returns the definition in the format of the text, whose parts with the same values stay as they are, and so do its `$schema` and its byte order
 * mark. In the usual format if it's no JSON.
 */
export function renderLike(marked: string, definition: JsonObject): string {
  const text = withoutMark(marked);
  const mark = marked.slice(0, marked.length - text.length);
  const { root, error } = readJsonText(text);
  const own = parseJson(text);
  if (root === undefined || error !== undefined || own === undefined)
    return mark + renderDefinition(definition);
  const writing = new Writing(text);
  const [space = '\n'] = /\r\n|\r|\n/.exec(text) ?? [];
  writing.write(root, own, keepSchema(own, definition), { space, colon: ': ' });
  return mark + text.slice(0, root.offset) + writing.text + text.slice(endOf(root));
}

/** The surroundings of a value. */
interface Place {
  /** Before it, or before the name of its member. With a line end, the value may take several lines. */
  readonly space: string;
  /** What stands between a name and its value in the nearest object around it. */
  readonly colon: string;
}

/** A member or an item. */
interface Part {
  /** Of its counterpart in the author's text. */
  readonly index: number | undefined;
  readonly write: (space: string) => void;
}

/** Writes a value part by part, each like its counterpart in the author's text, on the same line or on lines of its own as there. */
class Writing {
  readonly #author: string;
  readonly #indent: string;
  readonly #pieces: string[] = [];

  constructor(author: string) {
    this.#author = author;
    this.#indent = /^[ \t]+(?=\S)/m.exec(author)?.[0] ?? '  ';
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** `own`: the value of the node. */
  write(node: Node | undefined, own: JsonValue | undefined, value: JsonValue, place: Place): void {
    if (node?.children?.length && isJsonObject(own) && isJsonObject(value))
      this.#writeMembers(node, own, value);
    else if (node?.children?.length && isJsonArray(own) && isJsonArray(value))
      this.#writeItems(node, own, value, place.colon);
    else if (node && equalJson(own, value)) this.#copy(node.offset, endOf(node));
    else this.#writeNew(value, place.space);
  }

  /** In the author's order; members that the text doesn't have come last. */
  #writeMembers(node: Node, own: JsonObject, value: JsonObject): void {
    const members = (node.children ?? []).map(({ children: [name, like] = [] }) => ({ name, like }));
    const colons = members.map(({ name, like }) =>
      name && like ? this.#author.slice(endOf(name), like.offset) : ': ',
    );
    const usualColon = colons.at(-1) ?? ': ';
    /** Of several members with one name, the last one counts. */
    const counting = new Map(members.map(({ name }, index) => [String(name?.value), index]));
    const ownParts = members.flatMap(({ name, like }, index): readonly Part[] => {
      const key = String(name?.value);
      const member = memberOf(value, key);
      if (name === undefined || like === undefined || member === undefined) return [];
      const colon = colons[index] ?? usualColon;
      const write = (space: string): void => {
        this.#copy(name.offset, like.offset);
        if (counting.get(key) === index) this.write(like, own[key], member, { space, colon });
        else this.#copy(like.offset, endOf(like));
      };
      return [{ index, write }];
    });
    const added = Object.entries(value)
      .filter(([key]) => !counting.has(key))
      .map(([key, member]): Part => {
        const write = (space: string): void => {
          this.#pieces.push(stringifyJson(key), usualColon);
          this.#writeNew(member, space);
        };
        return { index: undefined, write };
      });
    this.#enclose(node, [...ownParts, ...added], usualColon);
  }

  /** Writes each item like its counterpart: the item with the same key, or else the item at the same index. */
  #writeItems(node: Node, own: readonly JsonValue[], value: readonly JsonValue[], colon: string): void {
    const keyed = Map.groupBy(own.keys(), (index) => keyOf(own[index]));
    const taken = new Map<string, number>();
    const parts = value.map((item, place): Part => {
      const key = keyOf(item);
      const count = key === undefined ? 0 : (taken.get(key) ?? 0);
      if (key !== undefined) taken.set(key, count + 1);
      const index = key === undefined ? place : keyed.get(key)?.[count];
      const like = index === undefined ? undefined : node.children?.[index];
      const ownItem = index === undefined ? undefined : own[index];
      return {
        index: like && index,
        write: (space) => {
          this.write(like, ownItem, item, { space, colon });
        },
      };
    });
    this.#enclose(node, parts, colon);
  }

  /** The first part stands where the author's first one does; one without a counterpart is separated like the last one. */
  #enclose(node: Node, parts: readonly Part[], colon: string): void {
    const { children = [] } = node;
    const [first, last] = [children[0], children.at(-1)];
    if (first === undefined || last === undefined || parts.length === 0) {
      this.#pieces.push(node.type === 'object' ? '{}' : '[]');
      return;
    }
    const separator = (index: number): string | undefined => {
      const [before, child] = [children[index - 1], children[index]];
      return before && child && this.#author.slice(endOf(before), child.offset);
    };
    const lead = this.#author.slice(node.offset + 1, first.offset);
    const afterComma = lineStart(lead) === undefined ? colon.slice(colon.indexOf(':') + 1) : lead;
    const usual = separator(children.length - 1) ?? `,${afterComma}`;
    this.#copy(node.offset, node.offset + 1);
    for (const [place, { index, write }] of parts.entries()) {
      const space = place === 0 ? lead : ((index === undefined ? undefined : separator(index)) ?? usual);
      this.#pieces.push(space);
      write(space);
    }
    this.#copy(endOf(last), endOf(node));
  }

  #writeNew(value: JsonValue, space: string): void {
    const start = lineStart(space);
    this.#pieces.push(
      start === undefined ? stringifyJson(value) : stringifyJson(value, this.#indent).replaceAll('\n', start),
    );
  }

  #copy(from: number, to: number): void {
    this.#pieces.push(this.#author.slice(from, to));
  }
}

/** The last line end with the white space that follows it. */
function lineStart(space: string): string | undefined {
  return /(?:\r\n|\r|\n)[ \t]*(?=[^\r\n]*$)/.exec(space)?.[0];
}

function keyOf(item: JsonValue | undefined): string | undefined {
  return isJsonObject(item) ? itemKey(item) : undefined;
}
