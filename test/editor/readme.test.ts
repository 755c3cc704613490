// What the README says of commands, settings and pictures is there.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';
import { manifest, readText, textOf } from '../support/manifest.ts';

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
    assert.equal(features.length, 7);
    for (const text of features) assert.match(text, /srcset="[^"]+-dark\.png"[^]+src="[^"]+-light\.png"/);
  });
});
