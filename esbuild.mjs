// One build for everything that runs outside the checkout's own Node: the extension with what it loads on first use, the local service, the host tests.
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bundledPackages, readNotice, renderNotices } from './src/licenses/notices.ts';

const root = dirname(fileURLToPath(import.meta.url));
const isWatching = process.argv.includes('--watch');
/** Old chunks would be packaged too; otherwise they stay, since others may be running them. */
const isClean = process.argv.includes('--clean');
const isReadable = process.argv.includes('--readable');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  minify: !isReadable,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};
const modules = {
  ...common,
  format: 'esm',
  outdir: 'dist',
  // CommonJS packages inside an ES module still ask for Node's built-ins through require.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
};
const commonjs = { ...common, format: 'cjs', outExtension: { '.js': '.cjs' } };

/** The entry is one small CommonJS file, which a host evaluates faster than modules; its import of the app stays one. */
const appCall = {
  name: 'app-call',
  setup(build) {
    build.onResolve({ filter: /^\.\/app\.ts$/ }, () => ({ path: './app.js', external: true }));
  },
};

/** The features in the order in which the app loads them. */
const features = Array.from(
  readFileSync(join(root, 'src/app.ts'), 'utf8').matchAll(/import\('\.\/(features\/.+)'\)/g),
  ([, path]) => join(root, 'src', path),
);

/**
 * What is loaded with import() says here that the app and the features before it are loaded already. So what it shares with them
 * is in their chunks, instead of a chunk for each set of those that share: a chunk takes as long to load as 30 kB of code.
 */
const loadedInOrder = {
  name: 'loaded-in-order',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'loaded-in-order' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'loaded-in-order' }, ({ path }) => {
      const isOwn = (feature) => path.startsWith(join(dirname(feature), '/'));
      const before = features.slice(0, features.findIndex(isOwn) + 1).filter((feature) => feature !== path);
      const earlier = [join(root, 'src/app.ts'), ...before].map((file) => `import ${JSON.stringify(file)};`);
      return {
        contents: [...earlier, `export * from ${JSON.stringify(path)};`].join('\n'),
        resolveDir: root,
      };
    });
  },
};

const builds = [
  {
    ...commonjs,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    external: ['vscode'],
    plugins: [appCall],
  },
  {
    ...modules,
    entryPoints: { app: 'src/app.ts' },
    // What is imported with import() becomes a chunk of its own, loaded on first use.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    plugins: [loadedInOrder],
  },
  {
    ...modules,
    entryPoints: { service: 'src/service/start.ts', serviceMain: 'src/service/main.ts' },
    // What only a service on PostgreSQL needs is loaded by one.
    splitting: true,
    chunkNames: 'programs/[name]-[hash]',
  },
  {
    ...modules,
    entryPoints: { cli: 'src/cli.ts' },
    // A command loads what it does, so that help is there at once.
    splitting: true,
    chunkNames: 'programs/[name]-[hash]',
  },
  // The service starts its threads with them.
  { ...modules, entryPoints: { sandbox: 'src/service/sandbox/worker.ts' } },
  { ...modules, entryPoints: { mask: 'src/service/secrets/maskWorker.ts' } },
  // The page of the graph, in the browser of its webview.
  {
    ...common,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    outdir: 'dist',
    entryPoints: { graph: 'src/webview/graph/main.ts' },
  },
  {
    ...commonjs,
    entryPoints: [
      'test/host/index.ts',
      'test/host/virtualFiles.ts',
      ...globSync('test/bench/*Probe.ts', { cwd: root }),
      ...globSync('test/host/**/*.test.ts', { cwd: root }),
    ],
    outbase: 'test',
    outdir: 'dist/test',
    external: ['vscode', 'mocha'],
    minify: false,
  },
];

/** What a bundle still asks for at run time must be there: built-ins, the editor, mocha for the tests; openworkflow does without its optional tracing. */
function unresolvedImports(outputs) {
  const known = new Set(['vscode', 'mocha', './app.js', '@opentelemetry/api']);
  return Object.entries(outputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ external, path }) => external && !isBuiltin(path) && !known.has(path))
      .map(({ path }) => `${file} imports ${path}, which is not bundled.`),
  );
}

/** Asking for the editor's whole API as one object copies hundreds of getters, once a file: at activation, half of its time. */
function namespacesAtActivation(outputs) {
  const { inputs } = outputs['dist/extension.cjs'];
  return Object.keys(inputs)
    .filter((file) => /^import \* as \w+ from 'vscode'/m.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => `${file} is evaluated at activation: let it import what it uses of vscode by name.`);
}

/** Beside the bundles, what the licenses of the packages in them ask for; tests don't ship. */
function writeNotices(outputs) {
  const shipped = Object.fromEntries(Object.entries(outputs).filter(([file]) => !file.includes('/test/')));
  const notices = bundledPackages(shipped).map((folder) => readNotice(join(root, folder)));
  writeFileSync(join(root, 'dist', 'THIRD_PARTY_NOTICES.txt'), renderNotices(notices));
}

/** One line per file that an entry point became, in thousands of bytes. */
function report(outputs) {
  for (const file of Object.keys(outputs)) {
    if (file.endsWith('.map') || file.includes('/test/')) continue;
    const size = (statSync(join(root, file)).size / 1000).toFixed(1);
    console.log(`${basename(file).padEnd(16)} ${size.padStart(8)} kB`);
  }
}

/** Leaves a file that is the same untouched and puts another in its place at once: others may be reading it. */
function writeIfChanged({ path, contents }) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

async function buildOnce() {
  if (isClean) rmSync(join(root, 'dist'), { recursive: true, force: true });
  const results = await Promise.all(builds.map((options) => esbuild.build({ ...options, write: false })));
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  const problems = [...unresolvedImports(outputs), ...namespacesAtActivation(outputs)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const file of results.flatMap(({ outputFiles }) => outputFiles)) writeIfChanged(file);
  // Only what no longer has a source goes: others may be running what lies beside it.
  for (const file of globSync(['dist/*.{js,cjs}*', 'dist/{chunks,programs}/*', 'dist/test/**/*.cjs*'], {
    cwd: root,
  })) {
    if (!Object.hasOwn(outputs, file.replaceAll('\\', '/'))) rmSync(join(root, file));
  }
  writeNotices(outputs);
  report(outputs);
}

/** Rebuilds on every change until the process is ended; the two marks are what .vscode/tasks.json waits for. */
async function watch() {
  const marks = {
    name: 'marks',
    setup(build) {
      build.onStart(() => console.log('[watch] build started'));
      build.onEnd(() => console.log('[watch] build finished'));
    },
  };
  for (const options of builds) {
    const context = await esbuild.context({
      ...options,
      logLevel: 'info',
      plugins: [...(options.plugins ?? []), marks],
    });
    await context.watch();
  }
}

try {
  await (isWatching ? watch() : buildOnce());
} catch (error) {
  // esbuild has printed its own errors already.
  if (!(error instanceof Error && 'errors' in error)) console.error(error);
  process.exitCode = 1;
}
