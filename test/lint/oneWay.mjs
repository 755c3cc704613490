// The lint rule "one-way": within each folder, its folders and files import each other in one direction, however long the way round is.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');
const importPattern = /\b(?:from|import)\b[\s(]*'(\.[^']+)'/g;

const pathOf = (file) => relative(root, file).split(sep).join('/');

/** What an import means: in the folder that has both files, one of its folders or files needs another one. */
function needOf(file, target) {
  const from = file.split('/');
  const to = posix.join(posix.dirname(file), target).split('/');
  const depth = from.findIndex((name, index) => name !== to[index]);
  return { folder: from.slice(0, depth).join('/'), from: from[depth], to: to[depth] };
}

/** Returns what each entry of a folder needs, by the folder's path and the entry's name. */
function readNeeds() {
  const needs = new Map();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    for (const [, target] of readFileSync(path, 'utf8').matchAll(importPattern)) {
      const { folder, from, to } = needOf(pathOf(path), target);
      if (!needs.has(folder)) needs.set(folder, new Map());
      const ofFolder = needs.get(folder);
      ofFolder.set(from, (ofFolder.get(from) ?? new Set()).add(to));
    }
  }
  return needs;
}

/** Returns the shortest way, or undefined. */
function findWay(needs, from, to) {
  const ways = new Map([[from, [from]]]);
  for (const [entry, way] of ways) {
    if (entry === to) return way;
    for (const next of needs.get(entry) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return undefined;
}

let known;

export const oneWay = {
  meta: { type: 'problem', schema: [], messages: { circle: 'A circle in {{folder}}: {{way}}.' } },
  create(context) {
    known ??= readNeeds();
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const { folder, from, to } = needOf(pathOf(context.filename), source.value);
      const way = findWay(known.get(folder) ?? new Map(), to, from);
      if (way)
        context.report({
          node: source,
          messageId: 'circle',
          data: { folder, way: [from, ...way].join(' → ') },
        });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
