// What the README and the pages of the guide say of commands, settings and pictures is there.
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { readCommand } from '../../src/service/process/commandLine.ts';
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

const guide = globSync('media/guide/*.md', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
/** Whoever operates the service reads these; what they set in bold are terms. */
const forOperators = ['media/guide/service.md', 'media/guide/team.md'];
const forUsers = ['README.md', ...guide.filter((file) => !forOperators.includes(file))];

const bold = (page: string, prefix: RegExp | string): readonly string[] =>
  [...readText(page).matchAll(new RegExp(`\\*\\*${String(prefix)}([^*]+)\\*\\*`, 'g'))].map(
    ([, name = '']) => name,
  );

/** The commands in the code blocks of a page, line by line. */
const commandsOf = (page: string): readonly (readonly string[])[] =>
  [...readText(page).matchAll(/```sh\n([^]+?)```/g)].map(([, block = '']) => block.trimEnd().split('\n'));

/** The words of a command line, without their quotes. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

describe('the README and the guide', () => {
  it('are a page for each reader', () =>
    assert.deepEqual(
      [...readText('README.md').matchAll(/^- \[[\w.-]+\]\((media\/guide\/[\w.-]+)\)/gm)]
        .map(([, file]) => file)
        .sort(),
      guide,
    ));

  it('name commands as the palette does', () => {
    const titles = manifest.contributes.commands.map(({ title }) => textOf(title));
    const named = forUsers.flatMap((page) => bold(page, 'Workflows: '));
    assert.ok(named.length > 2);
    for (const name of named) assert.ok(titles.includes(name), name);
  });

  it('set in bold what the screen says, word for word', () => {
    const words = (text: string): string => text.replaceAll(/\$\([\w-]+\) ?/g, '');
    const ours = [...Object.values(texts), ...messages].map(words);
    const samples = globSync('media/samples/*.json', { cwd: root }).map(
      (file) => v.parse(Named, JSON.parse(readText(file))).name,
    );
    const others = ['API Keys', 'Workflow Logs'];
    const named = forUsers.flatMap((page) => bold(page, '(?:Workflows: )?'));
    assert.ok(named.length > 40);
    assert.deepEqual(
      named.filter((name) => ![...ours, ...samples, ...others].includes(name)),
      [],
    );
  });

  it('show pictures that are there, and none of errors', () => {
    const pictures = ['README.md', ...guide].flatMap((page) =>
      [...readText(page).matchAll(/(?:!\[[^\]]*\]\(|src(?:set)?=")([^)"]+)/g)].map(([, path = '']) =>
        join(dirname(page), path),
      ),
    );
    assert.ok(pictures.length > 24);
    for (const path of pictures) assert.ok(existsSync(join(root, path)) && !path.includes('error'), path);
  });

  it('name only scripts that are there', () => {
    const { scripts } = v.parse(Scripts, JSON.parse(readText('package.json')));
    for (const page of ['README.md', ...guide])
      for (const [, name = ''] of readText(page).matchAll(/npm run ([\w:]+)/g))
        assert.ok(Object.hasOwn(scripts, name), name);
  });

  it('let the first commands of a page begin with the packages, where the sources are needed', () => {
    const readme = commandsOf('README.md');
    assert.ok(readme.length > 1);
    for (const [first] of readme) assert.match(first ?? '', /^npm ci\b/);
    assert.deepEqual(commandsOf('media/guide/service.md')[0], ['npm ci', 'npm run build']);
  });

  it('give the service only commands that it takes', () => {
    const commands = guide.flatMap((page) =>
      commandsOf(page)
        .flat()
        .flatMap((line) => /(?:^|\| )node dist\/service\.js (.+)$/.exec(line)?.[1] ?? [])
        .map((command) => {
          const environment = page.endsWith('team.md') ? { DATABASE_URL: 'postgres://u:p@h/d' } : {};
          return readCommand(wordsOf(command), environment).kind;
        }),
    );
    assert.deepEqual([...new Set(commands)].sort(), [
      'createKey',
      'deleteSecret',
      'listSecrets',
      'migrate',
      'serve',
      'serveTeam',
      'setSecret',
      'worker',
    ]);
  });
});

describe('the README', () => {
  const readme = readText('README.md');
  const found = (pattern: RegExp): readonly string[] =>
    [...readme.matchAll(pattern)].flatMap(([, first]) => first ?? []);

  it('begins with the two commands that run it, and tests it as the continuous integration does', () => {
    const [first = ''] = found(/```sh\n([^]+?)```/g);
    const commands = first.split('\n').map((line) => line.replace(/ *#.*/, ''));
    assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test', '']);
    assert.ok(readme.indexOf(first) < readme.indexOf('!['));
    assert.ok(readText('.ci/run').endsWith(`\n${commands[1] ?? ''}\n`));
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

  it('shows each feature, in light and in dark', () => {
    const features = readme.split('\n## Features\n')[1]?.split('\n## ')[0]?.split('\n### ').slice(1) ?? [];
    assert.equal(features.length, 11);
    for (const text of features) assert.match(text, /srcset="[^"]+-dark\.png"[^]+src="[^"]+-light\.png"/);
  });
});
