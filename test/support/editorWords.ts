// Lets words be read without an editor: the translation function comes from the package that the editor's own comes from.
import { registerHooks } from 'node:module';

const words = new URL('vscodeWords.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: words, shortCircuit: true } : next(specifier, context),
});
