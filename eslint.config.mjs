// One lint for the house rules; the layer table below is what keeps the architecture true.
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { oneWay } from './test/lint/oneWay.mjs';

/** What each layer may import: other layers by folder, packages by name ("node:*" stands for every built-in). */
const layers = {
  base: { layers: [], packages: [] },
  domain: { layers: ['base'], packages: ['valibot'] },
  protocol: { layers: ['base', 'domain'], packages: ['valibot'] },
  // What the launcher and the local service agree on beside the wire.
  'protocol/localService': { layers: ['base'], packages: ['valibot', 'node:*'] },
  definition: {
    layers: ['base', 'domain'],
    packages: ['@cfworker/json-schema', '@vscode/l10n', 'jsonata', 'jsonc-parser', 'valibot'],
  },
  api: {
    layers: ['base', 'domain', 'protocol'],
    packages: ['undici', 'eventsource-parser', 'valibot', 'node:*'],
  },
  launcher: { layers: ['base', 'domain', 'protocol', 'protocol/localService'], packages: ['node:*'] },
  service: {
    layers: ['base', 'domain', 'definition', 'protocol', 'protocol/localService'],
    packages: ['hono', '@hono/node-server', 'jsonata', 'openworkflow', 'postgres', 'valibot', 'node:*'],
  },
  // A developer's tool: no part of the service's bundle.
  'service/openapi': {
    layers: ['base', 'domain', 'protocol'],
    packages: ['@valibot/to-json-schema', 'valibot', 'node:*'],
  },
  licenses: { layers: [], packages: ['esbuild', 'valibot', 'node:*'] },
  // Pages of webviews, which run in a browser of their own; the extension imports only their messages.
  webview: { layers: ['base', 'domain'], packages: ['@dagrejs/dagre', 'valibot'] },
  model: { layers: ['base', 'domain', 'protocol', 'api'], packages: ['valibot'] },
  // Tests of workflows, for the editor and the command line.
  workflowTests: {
    layers: ['base', 'domain', 'definition', 'protocol', 'model'],
    packages: ['@vscode/l10n', 'jsonc-parser', 'valibot'],
  },
  // Workflows as files, for the editor and the command line.
  workflowFiles: {
    layers: ['base', 'domain', 'definition', 'protocol', 'model'],
    packages: ['@vscode/l10n', 'jsonc-parser', 'valibot'],
  },
  // Tools for language models, for the editor and the command line.
  languageTools: {
    layers: ['base', 'domain', 'definition', 'protocol', 'model'],
    packages: ['@valibot/to-json-schema', 'valibot'],
  },
  // What people read of all this, the same in windows, on the command line and for models.
  words: { layers: ['base', 'domain', 'model'], packages: ['@vscode/l10n'] },
  // The same acts without an editor: the command line, and the server of tools for models.
  program: {
    layers: [
      'base',
      'domain',
      'definition',
      'protocol',
      'api',
      'model',
      'workflowTests',
      'workflowFiles',
      'languageTools',
      'words',
    ],
    packages: ['@modelcontextprotocol/server', '@vscode/l10n', 'diff', 'valibot', 'node:*'],
  },
  editor: { layers: ['base', 'domain', 'protocol'], packages: ['vscode', 'valibot', 'node:*'] },
  ui: {
    layers: [
      'base',
      'domain',
      'definition',
      'protocol',
      'model',
      'workflowTests',
      'workflowFiles',
      'words',
      'editor',
    ],
    packages: ['vscode', '@vscode/l10n', 'jsonc-parser'],
  },
  features: {
    layers: [
      'base',
      'domain',
      'definition',
      'protocol',
      'model',
      'workflowTests',
      'workflowFiles',
      'languageTools',
      'words',
      'editor',
      'ui',
      'webview',
    ],
    packages: [
      'vscode',
      '@vscode/debugprotocol',
      '@vscode/l10n',
      'jsonc-parser',
      'valibot',
      'vscode-json-languageservice',
    ],
  },
};

const escape = (text) => text.replaceAll('/', '\\/').replaceAll('.', '\\.');

/** A layer inside another one is closed to it and has no part in it; what both may import lies elsewhere. */
function nestedPatterns(layer) {
  const nested = Object.keys(layers).flatMap((name) =>
    name.startsWith(`${layer}/`) ? name.slice(layer.length + 1) : [],
  );
  return [
    ...nested.map((name) => ({
      regex: `^(\\./|(\\.\\./)+)${name}/`,
      message: `${layer} may not import the layer inside it.`,
    })),
    ...(layer.includes('/')
      ? [{ regex: '^\\.\\./(?!\\.\\.)', message: `${layer} may not import the layer around it.` }]
      : []),
  ];
}

/** Turns one row of the table into the core rule: relative imports into other layers and packages not listed are errors. */
function layerPatterns([layer, allowed]) {
  const others = Object.keys(layers).filter((name) => name !== layer && !allowed.layers.includes(name));
  const packages = allowed.packages.map((name) =>
    name === 'node:*' ? 'node:.*' : `${escape(name)}(\\/.*)?`,
  );
  return [
    { regex: `^(\\.\\./)+(${others.join('|')})/`, message: `${layer} may not import this layer.` },
    {
      regex: packages.length === 0 ? '^[^.]' : `^(?!\\.|(${packages.join('|')})$)`,
      message: `${layer} may not import this package.`,
    },
    ...nestedPatterns(layer),
    ...(layer === 'model'
      ? [
          {
            regex: '^(\\.\\./)+api/',
            allowTypeImports: true,
            message: 'Only types of api may be taken here.',
          },
        ]
      : []),
  ];
}

const restrictImports = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

const layerRules = ([layer, allowed]) =>
  restrictImports([`src/${layer}/**/*.ts`], layerPatterns([layer, allowed]));

/** A feature may not import another one: as many folders up as it takes to leave one's own, and down again. */
const featureRules = [1, 2, 3].map((depth) =>
  restrictImports(
    [`src/features/${'*/'.repeat(depth)}*.ts`],
    [
      ...layerPatterns(['features', layers.features]),
      {
        regex: `^${'\\.\\./'.repeat(depth)}(?!\\.\\.)`,
        message: 'A feature may not import another feature.',
      },
    ],
  ),
);

const spreadLiteral = {
  selector: 'SpreadElement > ObjectExpression',
  message: 'Write the members themselves: spreading a literal says nothing.',
};

/** Numbers keep their digits only where one reader and one writer know how. */
const foreignJson = {
  selector: 'MemberExpression[object.name="JSON"][property.name=/^(parse|stringify)$/]',
  message: 'Read and write JSON with src/base/json.ts, which keeps the digits of numbers.',
};
/** The reader and writer, what bounds it in a worker, what describes any value for a log, and what reads package.json for the build. */
const ownJson = [
  'src/base/json.ts',
  'src/service/sandbox/bounds.ts',
  'src/base/reason.ts',
  'src/licenses/**',
];

/** Of several members with one name, what is shown is the one that the service reads. */
const foreignNodes = {
  selector: 'ImportSpecifier[imported.name="findNodeAtLocation"]',
  message:
    'Find values with src/definition/jsonNodes.ts, which takes the last of several members with one name.',
};

/** Text from outside becomes Markdown in one file, which escapes it. */
const foreignMarkdown = [
  'NewExpression[callee.property.name="MarkdownString"]',
  'NewExpression[callee.name="MarkdownString"]',
  'ClassDeclaration[superClass.property.name="MarkdownString"]',
  'CallExpression[callee.property.name=/^append(Markdown|Codeblock)$/]',
  // A hover takes Markdown as a string too.
  'NewExpression[callee.property.name="Hover"][arguments.0.type=/^(Literal|TemplateLiteral|BinaryExpression|ArrayExpression)$/]',
  'NewExpression[callee.name="Hover"][arguments.0.type=/^(Literal|TemplateLiteral|BinaryExpression|ArrayExpression)$/]',
  // Of a Markdown string. A box to type in has a value too.
  'AssignmentExpression[left.property.name="value"][left.object.type!="ThisExpression"][left.object.name!="box"]',
  'AssignmentExpression[left.property.type="Identifier"][left.property.name=/^(isTrusted|supportHtml|supportThemeIcons)$/]',
].map((selector) => ({
  selector,
  message: 'Make Markdown with src/editor/markdown.ts, which escapes text.',
}));

export default tseslint.config(
  { ignores: ['dist/', '.vscode-test/', '.n8n-test/', 'node_modules/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      'no-restricted-syntax': ['error', spreadLiteral],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  ...Object.entries(layers).map(layerRules),
  ...featureRules,
  {
    files: ['src/**/*.ts'],
    plugins: { house: { rules: { 'one-way': oneWay } } },
    rules: {
      'house/one-way': 'error',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', spreadLiteral, foreignJson, foreignNodes, ...foreignMarkdown],
    },
  },
  {
    files: ['src/editor/markdown.ts'],
    rules: { 'no-restricted-syntax': ['error', spreadLiteral, foreignJson] },
  },
  {
    files: ownJson,
    rules: { 'no-restricted-syntax': ['error', spreadLiteral, ...foreignMarkdown] },
  },
  // Each module that is declared there has imports of its own.
  { files: ['**/*.d.ts'], rules: { 'no-duplicate-imports': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [] }] },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  prettier,
);
