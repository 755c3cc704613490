// Creates the notices of the bundled packages, from the metadata of the build.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';

export interface LicenseNotice {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier in the package's manifest. */
  readonly license: string;
  readonly text: string;
}

interface SuppliedText {
  readonly name: string;
  /** The license in the package's manifest that the text is for; another license needs another text. */
  readonly license: string;
  readonly file: string;
}

/** License texts, from the repositories, that the packages don't include: their own, and those of code they contain. */
export const suppliedTexts: readonly SuppliedText[] = [
  { name: '@dagrejs/dagre', license: 'MIT', file: 'dagre-graphlib.txt' },
  { name: 'openworkflow', license: 'Apache-2.0', file: 'openworkflow.txt' },
  { name: '@cfworker/json-schema', license: 'MIT', file: 'cfworker-json-schema.txt' },
  { name: '@modelcontextprotocol/server', license: 'Apache-2.0', file: 'modelcontextprotocol-server.txt' },
  { name: '@vscode/l10n', license: 'MIT', file: 'vscode-l10n.txt' },
  { name: 'postgres', license: 'Unlicense', file: 'postgres.txt' },
  { name: 'undici', license: 'MIT', file: 'undici-llhttp.txt' },
  { name: 'vscode-uri', license: 'MIT', file: 'vscode-uri-path-browserify.txt' },
];

const texts = join(dirname(fileURLToPath(import.meta.url)), 'texts');
const licenseFile = /^(licen[cs]e|copying)(-\w+)?(\.(md|txt))?$/i;
const noticeFile = /^(notice|third-?party-?notices)(\.(md|txt))?$/i;
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

const Manifest = v.object({ name: v.string(), version: v.string(), license: v.string() });

/** Returns the folders of the packages that contribute at least one byte to the outputs, with slashes, sorted. */
export function bundledPackages(outputs: Metafile['outputs']): readonly string[] {
  const folders = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? (packageFolder.exec(file) ?? []) : [],
    ),
  );
  return [...new Set(folders)].sort();
}

/** Reads the notice of the package in a folder. Throws when the text of its license is missing. */
export function readNotice(folder: string): LicenseNotice {
  const { name, version, license } = v.parse(
    Manifest,
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const supplied = suppliedTexts.find((text) => text.name === name);
  if (supplied !== undefined && supplied.license !== license)
    throw new Error(
      `${name} is under ${license} now, and ${supplied.file} in src/licenses/texts is a text of ${supplied.license}.`,
    );
  const own = ownTexts(folder);
  if (!own.some((file) => licenseFile.test(file)) && supplied === undefined)
    throw new Error(
      `${name} ${version} has no text of its license (${license}): take it from its repository to src/licenses/texts.`,
    );
  const all = [...own.map((file) => join(folder, file)), ...(supplied ? [join(texts, supplied.file)] : [])];
  const text = all.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
  return { name, version, license, text };
}

/** Returns the package's own texts, those at its top level first; deeper ones belong to code it contains. */
function ownTexts(folder: string): readonly string[] {
  const depth = (file: string): number => file.split(/[\\/]/).length;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !/(^|[\\/])node_modules[\\/]/.test(file))
    .filter((file) => licenseFile.test(basename(file)) || noticeFile.test(basename(file)))
    .sort((one, other) => depth(one) - depth(other) || one.localeCompare(other));
}

/** Renders the notices file. A package that occurs twice in one version is listed once. */
export function renderNotices(notices: readonly LicenseNotice[]): string {
  const title = ({ name, version, license }: LicenseNotice): string => `${name} ${version} (${license})`;
  const once = [...new Map(notices.map((notice) => [title(notice), notice])).values()];
  const line = '-'.repeat(80);
  return [
    'Workflow Automation includes these packages, bundled and minified:\n',
    ...once.map((notice) => `- ${title(notice)}`),
    ...once.map((notice) => `\n${line}\n${title(notice)}\n${line}\n\n${notice.text}`),
    '',
  ].join('\n');
}
