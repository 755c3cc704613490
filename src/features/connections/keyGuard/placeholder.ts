// Where a key stood, the text must go on making sense in its language: it reads the key from the environment instead.
import type { FoundKey } from '../../../base/findKeys.ts';

export interface Replacement extends FoundKey {
  readonly text: string;
}

const variable = 'WORKFLOW_API_KEY';

/** What stands for a whole quoted string, quotes included, in languages with an expression for it. */
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

/** What stands for the key itself, in languages that fill in variables where it stands. */
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

/** Understood by tasks, launch configurations and many readers of settings, and by people everywhere else. */
const otherwise = `\${env:${variable}}`;

/** The place to replace, the quotes around it included where an expression takes the place of the string, and by what. */
export function placeholderFor(languageId: string, text: string, key: FoundKey): Replacement {
  const end = key.offset + key.length;
  const expression = expressions[languageId];
  const before = text.charAt(key.offset - 1);
  const isWholeString = ['"', "'", '`'].includes(before) && text.charAt(end) === before;
  if (expression !== undefined && isWholeString)
    return { offset: key.offset - 1, length: key.length + 2, text: expression };
  return { ...key, text: insertions[languageId] ?? otherwise };
}
