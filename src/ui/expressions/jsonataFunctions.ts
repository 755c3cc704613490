// The functions that JSONata brings along: how each is called, and what it gives.
import * as l10n from '@vscode/l10n';

export interface JsonataFunction {
  /** With its "$". */
  readonly name: string;
  /** As in `$sum(numbers: number[]): number`. */
  readonly signature: string;
  readonly sentence: string;
  readonly hasParameters: boolean;
}

/** Sentences by signatures. */
type Signatures = Readonly<Record<string, string>>;

/** In the order of their names. */
export function jsonataFunctions(): readonly JsonataFunction[] {
  return [
    textFunctions(),
    codingFunctions(),
    numberFunctions(),
    listFunctions(),
    objectFunctions(),
    otherFunctions(),
  ]
    .flatMap((signatures) => Object.entries(signatures))
    .map(([signature, sentence]) => {
      const open = signature.indexOf('(');
      const hasParameters = signature.charAt(open + 1) !== ')';
      return { name: signature.slice(0, open), signature, sentence, hasParameters };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function findFunction(name: string): JsonataFunction | undefined {
  return jsonataFunctions().find((each) => each.name === name);
}

function textFunctions(): Signatures {
  return {
    '$string(value: any, pretty?: boolean): string': l10n.t(
      'Turns any value into text; objects and arrays become JSON.',
    ),
    '$length(text: string): number': l10n.t('Counts the characters of a text.'),
    '$substring(text: string, start: number, length?: number): string': l10n.t(
      'Returns part of a text. The first character has the position 0; a negative start counts from the end.',
    ),
    '$substringBefore(text: string, mark: string): string': l10n.t(
      'Returns the text before the first occurrence of the mark, or the whole text if there is none.',
    ),
    '$substringAfter(text: string, mark: string): string': l10n.t(
      'Returns the text after the first occurrence of the mark, or the whole text if there is none.',
    ),
    '$uppercase(text: string): string': l10n.t('Converts a text to uppercase.'),
    '$lowercase(text: string): string': l10n.t('Converts a text to lowercase.'),
    '$trim(text: string): string': l10n.t(
      'Removes spaces at both ends and makes each run of spaces, tabs and line breaks one space.',
    ),
    '$pad(text: string, width: number, fill?: string): string': l10n.t(
      'Pads a text to a width: on the right, or on the left for a negative width.',
    ),
    '$contains(text: string, pattern: string | RegExp): boolean': l10n.t(
      'Returns whether a text or a pattern such as /ab+/ occurs in the text.',
    ),
    '$split(text: string, separator: string | RegExp, limit?: number): string[]': l10n.t(
      'Splits a text at each separator. The limit is the highest number of parts.',
    ),
    '$join(texts: string[], separator?: string): string': l10n.t(
      'Joins texts into one, with the separator between them.',
    ),
    '$match(text: string, pattern: RegExp, limit?: number): object[]': l10n.t(
      'Lists where a pattern matches, each as an object with match, index and groups.',
    ),
    '$replace(text: string, pattern: string | RegExp, replacement: string | function, limit?: number): string':
      l10n.t('Replaces each match. In the replacement, $1 stands for the first group of the pattern.'),
  };
}

function codingFunctions(): Signatures {
  return {
    '$eval(expression: string, context?: any): any': l10n.t('Evaluates a text as a JSONata expression.'),
    '$base64encode(text: string): string': l10n.t('Encodes a text as Base64.'),
    '$base64decode(text: string): string': l10n.t('Decodes Base64 to a text.'),
    '$encodeUrlComponent(text: string): string': l10n.t(
      "Encodes a text for one part of a URL, such as a parameter's value. Characters such as / and & are encoded too.",
    ),
    '$encodeUrl(url: string): string': l10n.t(
      "Encodes what isn't allowed in a whole URL. Characters such as / and & stay as they are.",
    ),
    '$decodeUrlComponent(text: string): string': l10n.t('Decodes one part of a URL.'),
    '$decodeUrl(url: string): string': l10n.t('Decodes a whole URL.'),
  };
}

function numberFunctions(): Signatures {
  return {
    '$number(value: string | number | boolean): number': l10n.t(
      'Turns a text such as "12.5" into a number; true becomes 1 and false 0.',
    ),
    '$abs(number: number): number': l10n.t('Returns the absolute value.'),
    '$floor(number: number): number': l10n.t('Rounds down to a whole number.'),
    '$ceil(number: number): number': l10n.t('Rounds up to a whole number.'),
    '$round(number: number, digits?: number): number': l10n.t(
      'Rounds to a number of digits after the point. A half goes to the even neighbor: 2.5 becomes 2.',
    ),
    '$power(base: number, exponent: number): number': l10n.t('Raises the base to the power of the exponent.'),
    '$sqrt(number: number): number': l10n.t('Returns the square root.'),
    '$random(): number': l10n.t('Returns a random number from 0 up to, but not including, 1.'),
    '$formatNumber(number: number, picture: string, options?: object): string': l10n.t(
      'Formats a number with a picture: "#,##0.00" turns 1234.5 into 1,234.50.',
    ),
    '$formatBase(number: number, base?: number): string': l10n.t(
      'Formats a whole number in another base, such as 2 or 16.',
    ),
    '$formatInteger(number: number, picture: string): string': l10n.t(
      'Formats a whole number with a picture: "I" for Roman numerals, "w" for words.',
    ),
    '$parseInteger(text: string, picture: string): number': l10n.t(
      'Parses a whole number that was formatted with a picture.',
    ),
    '$sum(numbers: number[]): number': l10n.t('Adds up the numbers of an array.'),
    '$max(numbers: number[]): number': l10n.t('Returns the largest number of an array.'),
    '$min(numbers: number[]): number': l10n.t('Returns the smallest number of an array.'),
    '$average(numbers: number[]): number': l10n.t('Returns the average of the numbers of an array.'),
  };
}

function listFunctions(): Signatures {
  return {
    '$count(array: any[]): number': l10n.t(
      'Counts the items of an array. A single value counts as 1 and a missing one as 0.',
    ),
    '$append(first: any, second: any): any[]': l10n.t(
      'Appends the items of the second array to those of the first.',
    ),
    '$sort(array: any[], comesAfter?: function): any[]': l10n.t(
      'Sorts numbers or texts upward, or by a function($a, $b) that is true where $a comes after $b.',
    ),
    '$reverse(array: any[]): any[]': l10n.t('Reverses an array.'),
    '$shuffle(array: any[]): any[]': l10n.t('Shuffles an array.'),
    '$distinct(array: any): any': l10n.t('Removes duplicate items.'),
    '$zip(...arrays: any[]): any[]': l10n.t(
      'Pairs the first items of several arrays, then the second ones, up to the end of the shortest.',
    ),
    '$map(array: any[], change: function): any[]': l10n.t(
      'Calls a function($item, $index) for each item and lists its results.',
    ),
    '$filter(array: any[], isWanted: function): any[]': l10n.t(
      'Keeps the items for which a function($item, $index) is true.',
    ),
    '$single(array: any[], isWanted?: function): any': l10n.t(
      'Returns the only item for which a function is true; fails if there are none or several.',
    ),
    '$reduce(array: any[], combine: function, start?: any): any': l10n.t(
      'Combines all items into one value with a function($result, $item), beginning with the start value.',
    ),
  };
}

function objectFunctions(): Signatures {
  return {
    '$keys(object: object): string[]': l10n.t("Lists the names of an object's members."),
    '$lookup(object: object, name: string): any': l10n.t(
      'Returns the member with a name that is only known at run time.',
    ),
    '$spread(object: object): object[]': l10n.t('Splits an object into one object for each member.'),
    '$merge(objects: object[]): object': l10n.t('Merges several objects into one; later members win.'),
    '$sift(object: object, isWanted: function): object': l10n.t(
      'Keeps the members for which a function($value, $name) is true.',
    ),
    '$each(object: object, change: function): any[]': l10n.t(
      'Calls a function($value, $name) for each member and lists its results.',
    ),
    '$clone(value: object | any[]): any': l10n.t('Copies an object or an array.'),
  };
}

function otherFunctions(): Signatures {
  return {
    '$boolean(value: any): boolean': l10n.t(
      'Turns any value into true or false; empty texts, arrays and objects, 0 and null are false.',
    ),
    '$not(value: any): boolean': l10n.t(
      'Returns true for values that count as false, and false for all others.',
    ),
    '$exists(value: any): boolean': l10n.t('Returns whether a path leads to a value.'),
    '$type(value: any): string': l10n.t(
      'Returns the type of a value as a word: null, number, string, boolean, array, object or function.',
    ),
    '$error(message?: string): any': l10n.t('Stops with this error message.'),
    '$assert(condition: boolean, message?: string): any': l10n.t(
      'Stops with an error unless the condition is true.',
    ),
    '$now(picture?: string, timezone?: string): string': l10n.t(
      'Returns the time when the expression began, such as 2026-01-31T12:00:00.000Z.',
    ),
    '$millis(): number': l10n.t('Returns the time when the expression began, in milliseconds since 1970.'),
    '$toMillis(time: string, picture?: string): number': l10n.t(
      'Parses a time and returns it in milliseconds since 1970. Without a picture, the time must be in ISO 8601.',
    ),
    '$fromMillis(milliseconds: number, picture?: string, timezone?: string): string': l10n.t(
      'Formats a time in milliseconds since 1970 as ISO 8601, or with a picture.',
    ),
  };
}
