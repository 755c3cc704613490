// Marks secrets that aren't set, and tokens that stand in a definition of the local service, with what mends them.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import type { TextSpan } from '../../definition/jsonString.ts';
import { nearestWords } from '../../base/nearestWords.ts';
import { offerCommand } from '../../editor/commands.ts';
import { DocumentMarks, type QuickFix, type Mark } from '../../editor/documents/documentMarks.ts';
import { definitionSelector } from '../../editor/ids.ts';
import { isForLocalService } from '../../ui/definitionTargets.ts';
import type { App } from '../../ui/app.ts';
import { findSecretUses, type SecretUse } from '../../definition/secretUses.ts';
import { findTokens } from './findTokens.ts';

export type SecretProblemsDeps = Pick<
  App,
  'connections' | 'definitionTargets' | 'definitionTexts' | 'secrets'
>;

const placeOf = ({ start, end }: TextSpan) => ({ offset: start, length: end - start });

/** The secrets that aren't set. */
function markMissing(definition: DefinitionText, { secrets }: SecretProblemsDeps): readonly Mark[] {
  const known = secrets.known.current;
  const missing = known ? findSecretUses(definition).filter(({ name }) => !known.has(name)) : [];
  return missing.map((use) => ({
    ...placeOf(use.span),
    message: vscode.l10n.t('The secret "{0}" isn\'t set, so the node will fail.', use.name),
    severity: 'Warning',
    code: 'secretNotSet',
    fixes: () => [
      ...nearestWords(use.name, secrets.known.current?.keys() ?? []).map((word) =>
        replaceName(definition, use, word),
      ),
      createSecret(use.name),
    ],
  }));
}

function markTokens(uri: vscode.Uri, definition: DefinitionText): readonly Mark[] {
  return findTokens(definition).map(({ span }) => ({
    ...placeOf(span),
    message: vscode.l10n.t(
      'This looks like a token. Anyone who can read this definition can use it. Move it to a secret.',
    ),
    severity: 'Warning',
    code: 'tokenInDefinition',
    fixes: () => [moveToken({ uri: uri.toString(), offset: span.start })],
  }));
}

function moveToken(place: { readonly uri: string; readonly offset: number }): QuickFix {
  const title = vscode.l10n.t('Move to a Secret…');
  return { title, isPreferred: true, command: offerCommand('secret.moveToken', place, { title }) };
}

function createSecret(name: string): QuickFix {
  const title = vscode.l10n.t('Create Secret "{0}"…', name);
  return { title, isPreferred: true, command: offerCommand('secret.create', { name }, { title }) };
}

/** Replaces the name of the secret in the expression, where it may stand in quotation marks. */
export function replaceName({ text }: DefinitionText, { name, span }: SecretUse, word: string): QuickFix {
  const reference = new RegExp(`(secrets\`?\\s*\\.\\s*(?:\\\\?["'\`])?)${name}\\b`, 'g');
  const content = text.slice(span.start, span.end).replace(reference, `$1${word}`);
  return { title: vscode.l10n.t('Change to "{0}"', word), edits: [{ ...placeOf(span), content }] };
}

export function registerSecretProblems(deps: SecretProblemsDeps): Disposable {
  const { definitionTexts, secrets } = deps;
  return new DocumentMarks({
    name: 'secrets',
    selector: definitionSelector,
    find: (document) => {
      if (!isForLocalService(deps, document.uri)) return [];
      const definition = definitionTexts.of(document);
      return [...markMissing(definition, deps), ...markTokens(document.uri, definition)];
    },
    watch: ({ look, lookAgain }) =>
      combine(definitionTexts.onDidRest(look), secrets.known.onDidChange(lookAgain)),
  });
}
