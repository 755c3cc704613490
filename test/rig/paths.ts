// Where the harness finds the project and keeps what it installs, said once.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root: the folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What is downloaded or made by runs; not under version control. test-electron keeps its own here too. */
export const downloads = join(root, '.vscode-test');
export const screenshots = join(downloads, 'screenshots');

/** The bundled tests that run inside VS Code. */
export const hostTests = join(root, 'dist', 'test', 'host', 'index.cjs');

/** The bundled extension that serves a virtual workspace. */
export const virtualFiles = join(root, 'dist', 'test', 'host', 'virtualFiles.cjs');

/** What Node made of the sources, kept between runs. */
export const compiledSources = join(root, 'node_modules', '.cache', 'compiled');
