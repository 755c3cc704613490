import * as l10n from '@vscode/l10n';

/** Returns a part of a sentence, such as "a comma is missing here". name: as jsonc-parser's printParseErrorCode returns it. */
export function describeJsonError(name: string): string {
  switch (name) {
    case 'PropertyNameExpected':
      return l10n.t('a name in "quotation marks" is missing here');
    case 'ValueExpected':
      return l10n.t('a value is missing here');
    case 'ColonExpected':
      return l10n.t('a colon is missing here');
    case 'CommaExpected':
      return l10n.t('a comma is missing here');
    case 'CloseBraceExpected':
      return l10n.t('a closing brace } is missing here');
    case 'CloseBracketExpected':
      return l10n.t('a closing bracket ] is missing here');
    case 'EndOfFileExpected':
      return l10n.t('nothing may follow here');
    case 'InvalidSymbol':
      return l10n.t('a text stands in "quotation marks"');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return l10n.t('this is not a number');
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return l10n.t('comments are not allowed');
    case 'UnexpectedEndOfString':
      return l10n.t('the quotation mark that ends this text is missing');
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
    case 'InvalidCharacter':
      return l10n.t('this character must be written in another way');
    default:
      return l10n.t('this cannot be read');
  }
}

/** The line of an offset, 1-based. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}
