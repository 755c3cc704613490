// What the README says of commands, settings and pictures is there.
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../rig/paths.ts';
import { manifest, readText, textOf, texts } from '../support/manifest.ts';

const Named = v.object({ name: v.string() });
const Scripts = v.object({ scripts: v.record(v.string(), v.string()) });
/** The extension's own texts; a text with a comment for translators is an object. */
const Messages = v.record(v.string(), v.union([v.string(), v.object({ message: v.string() })]));
const messages = Object.entries(v.parse(Messages, JSON.parse(readText('l10n/bundle.l10n.json')))).map(
  ([, text]) => (typeof text === 'string' ? text : text.message),
);

/** A list is too long for a cell, so its length is told. */
function describeDefault(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} fields`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

describe('the README', () => {
  const readme = readText('README.md');
  const found = (pattern: RegExp): readonly string[] =>
    [...readme.matchAll(pattern)].flatMap(([, first]) => first ?? []);

  it('names commands as the palette does', () => {
    const titles = manifest.contributes.commands.map(({ title }) => textOf(title));
    const named = found(/\*\*Workflows: ([^*]+)\*\*/g);
    assert.ok(named.length > 2);
    for (const name of named) assert.ok(titles.includes(name), name);
  });

  // What the last sections set in bold are terms.
  it('sets in bold what the screen says, word for word', () => {
    const words = (text: string): string => text.replaceAll(/\$\([\w-]+\) ?/g, '');
    const ours = [...Object.values(texts), ...messages].map(words);
    const samples = globSync('media/samples/*.json', { cwd: root }).map(
      (file) => v.parse(Named, JSON.parse(readText(file))).name,
    );
    const others = ['Extensions', '… › Install from VSIX…', 'API Keys', 'Workflow Logs'];
    const [forUsers = ''] = readme.split('## For a team');
    const bold = [...forUsers.matchAll(/\*\*(?:Workflows: )?([^*]+)\*\*/g)].map(([, name = '']) => name);
    assert.ok(bold.length > 20);
    assert.deepEqual(
      bold.filter((name) => ![...ours, ...samples, ...others].includes(name)),
      [],
    );
  });

  it('begins with the two commands that run it, and tests it as the continuous integration does', () => {
    const [first = ''] = found(/```sh\n([^]+?)```/g);
    const commands = first.split('\n').map((line) => line.replace(/ *#.*/, ''));
    assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test', '']);
    assert.ok(readme.indexOf(first) < readme.indexOf('!['));
    assert.ok(readText('.ci/run').endsWith(`\n${commands[1] ?? ''}\n`));
  });

  it('lets each list of commands begin with the packages that it needs, and names only scripts that are there', () => {
    const blocks = found(/```sh\n([^]+?)```/g);
    assert.ok(blocks.length > 3);
    for (const block of blocks) assert.match(block, /^npm ci\b/);
    const scripts = v.parse(Scripts, JSON.parse(readText('package.json'))).scripts;
    for (const name of found(/npm run ([\w:]+)/g)) assert.ok(Object.hasOwn(scripts, name), name);
  });

  it('lists every setting with its default', () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties),
    );
    const rows = settings.map(([name, setting]) => {
      return `${name} ${describeDefault(setting.default)}`;
    });
    const listed = [...readme.matchAll(/^\| `(workflowAutomation\.[\w.]+)`\s*\| `([^`]+)`/gm)];
    assert.deepEqual(listed.map(([, name, value]) => `${name} ${value}`).sort(), rows.sort());
  });

  it('shows pictures that are there, and none of errors', () => {
    const pictures = found(/(?:!\[[^\]]*\]\(|src(?:set)?=")([^)"]+)/g);
    assert.ok(pictures.length > 12);
    for (const path of pictures) assert.ok(existsSync(join(root, path)) && !path.includes('error'), path);
  });

  it('shows each feature, in light and in dark', () => {
    const features = readme.split('\n## Features\n')[1]?.split('\n## ')[0]?.split('\n### ').slice(1) ?? [];
    assert.equal(features.length, 8);
    for (const text of features) assert.match(text, /srcset="[^"]+-dark\.png"[^]+src="[^"]+-light\.png"/);
  });
});
