// Lets code that imports `vscode` run in plain Node: mocha loads this first.
import { enableCompileCache, registerHooks } from 'node:module';
import { compiledSources } from '../rig/paths.ts';

const standIn = new URL('vscodeStandIn.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

// The processes and threads that tests start load the same sources again and again; in half the time where they're compiled.
process.env['NODE_COMPILE_CACHE'] ??= compiledSources;
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
