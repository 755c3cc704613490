// Lets code that imports `vscode` run in plain Node: mocha loads this first.
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const standIn = new URL('vscodeStandIn.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

// The processes and threads that tests start load the same sources again and again; in half the time where they're compiled.
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
process.env['NODE_COMPILE_CACHE'] ??= compileCache;
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
