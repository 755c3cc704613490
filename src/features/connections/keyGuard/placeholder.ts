// The text that replaces a key, so that the code reads the key from an environment variable instead.
import type { FoundKey } from '../../../base/secrets.ts';

export interface Replacement extends FoundKey {
  readonly text: string;
}

const variable = 'WORKFLOW_API_KEY';

/** Replaces a whole quoted string, including the quotes, in languages that have an expression for it. */
const expressions: Readonly<Record<string, string>> = {
  javascript: `process.env.${variable}`,
  javascriptreact: `process.env.${variable}`,
  typescript: `process.env.${variable}`,
  typescriptreact: `process.env.${variable}`,
  python: `os.environ["${variable}"]`,
  ruby: `ENV["${variable}"]`,
  php: `getenv('${variable}')`,
  go: `os.Getenv("${variable}")`,
  java: `System.getenv("${variable}")`,
  kotlin: `System.getenv("${variable}")`,
  csharp: `Environment.GetEnvironmentVariable("${variable}")`,
};

/** Replaces only the key, in languages that expand variables in place. */
const insertions: Readonly<Record<string, string>> = {
  shellscript: `\${${variable}}`,
  dockerfile: `\${${variable}}`,
  dockercompose: `\${${variable}}`,
  dotenv: `\${${variable}}`,
  yaml: `\${${variable}}`,
  powershell: `\${env:${variable}}`,
  bat: `%${variable}%`,
  http: `{{$processEnv ${variable}}}`,
  'github-actions-workflow': `\${{ secrets.${variable} }}`,
};

/** For all other languages. Tasks, launch configurations and many configuration readers understand it. */
const otherwise = `\${env:${variable}}`;

/** Returns the range to replace and its new text. The range includes the quotes if an expression replaces the whole string. */
export function placeholderFor(languageId: string, text: string, key: FoundKey): Replacement {
  const end = key.offset + key.length;
  const expression = expressions[languageId];
  const before = text.charAt(key.offset - 1);
  const isWholeString = ['"', "'", '`'].includes(before) && text.charAt(end) === before;
  if (expression !== undefined && isWholeString)
    return { offset: key.offset - 1, length: key.length + 2, text: expression };
  return { ...key, text: insertions[languageId] ?? otherwise };
}
