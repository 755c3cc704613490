// What VS Code evaluates when it activates the extension: every other extension waits for it.
import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { root } from '../rig/paths.ts';

describe('activation', () => {
  it('evaluates no client of a service, of whatever kind, and no declaration of a command', async () => {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/extension.ts'],
      bundle: true,
      platform: 'node',
      external: ['vscode', './app.ts'],
      write: false,
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.includes('src/surfaces.ts'));
    assert.deepEqual(
      inputs.filter((file) => /^src\/(api|model|service|launcher|editor\/commands\/declared)\//.test(file)),
      [],
    );
  });
});
