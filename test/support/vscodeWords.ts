// What the words of errors need of the editor; stands for it where editorWords.ts is imported first.
import { t } from '@vscode/l10n';

export const l10n = { t };
