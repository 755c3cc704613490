// Lets code that imports `vscode` run in plain Node: mocha loads this first.
import { registerHooks } from 'node:module';

const standIn = new URL('vscodeStandIn.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
