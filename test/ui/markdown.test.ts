// Text from outside in every place that shows Markdown.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { lexer } from 'marked';
import * as vscode from 'vscode';
import { codeBlock, commandLink, formatted, paragraphs, tooltip } from '../../src/editor/markdown.ts';
import { plainLine } from '../../src/base/format.ts';
import { confirmations } from '../../src/features/languageTools/confirmations.ts';
import { renderReport } from '../../src/features/executions/commands/renderReport.ts';
import { logOf, makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../support/memory/records.ts';
import { type Read, readMarkdown } from '../support/readMarkdown.ts';
import { failureOf, places } from './markdownPlaces.ts';

const letters = 'abcdefghijklmnop';

const hostile: readonly string[] = [
  '1.evil.example www.1.example a.1.b',
  '12. x',
  'x.@y.z http://1.2.3.4',
  '![a](https://evil.example/a.png)',
  '[x](command:workflowAutomation.workflow.delete)',
  '[x](command:nodeRun.open)](command:workbench.action.quit)',
  '<img src="https://evil.example/a.png">',
  '<a href="command:workbench.action.quit">x</a>',
  '<https://evil.example>',
  'https://evil.example/a?b=c',
  'www.evil.example',
  'ftp://evil.example',
  'mailto:a@evil.example',
  'a@evil.example',
  'a\u0000b\n# heading\n\n- item\n1. item\n> quote\n\n---\n===',
  'a\r\n\r\n![a](https://evil.example/a.png)',
  '```\n![a](https://evil.example/a.png)\n```',
  '`` ` `` ```` x',
  '| a | b |\n| --- | --- |\n| [x](command:x) | y |',
  '$(sync~spin) **bold** _em_ ~~gone~~',
  '&lt;img src=x&gt; &#91;x&#93;(command:x) &amp;',
  '[x]: https://evil.example\n\n[x]',
  '\\[x\\](command:x) \\',
  '1. one',
  '    indented',
  '- [x] task',
];

const sourceFolder = join(import.meta.dirname, '../../src');
/** The files whose Markdown the places above show; a place that's missing here is found by the test below. */
const covered: readonly string[] = [
  'features/connections/budgetItem.ts',
  'features/connections/connectionRows.ts',
  'features/definitions/completion/definitionHelp.ts',
  'features/definitions/expressions/expressionHints.ts',
  'features/definitions/shownExecution/nodeHover.ts',
  'features/executions/commands/renderReport.ts',
  'features/executions/comparison/register.ts',
  'features/executions/search/foundRows.ts',
  'features/executions/search/savedRows.ts',
  'features/inputs/schemaHover.ts',
  'features/languageTools/confirmations.ts',
  'features/portalEvents/eventRows.ts',
  'features/tests/testHelp.ts',
  'features/workflows/workflowRow.ts',
  'ui/rows/executionRows.ts',
  'ui/rows/nodeRunRows.ts',
];

function assertLiteral(source: string, value: string): Read {
  const shown = readMarkdown(source);
  for (const link of shown.links) assert.match(link, /^command:workflowAutomation\.[A-Za-z.]+\?[^()\s]*$/);
  const unspaced = (text: string) => text.replace(/\s/g, '');
  const line = unspaced(plainLine(value, 20).replace(/…$/, ''));
  assert.ok(unspaced(shown.text).includes(line) || source.includes('```'), `without ${line}:\n${source}`);
  return shown;
}

describe('text from outside in Markdown', () => {
  for (const [name, place] of Object.entries(places))
    it(`is shown literally in ${name}, as no picture, link, HTML or heading`, () => {
      for (const value of hostile)
        for (const shown of place(value)) {
          assert.ok(shown instanceof vscode.MarkdownString);
          assert.notEqual(shown.supportHtml, true);
          assert.notEqual(shown.supportThemeIcons, true);
          const { links } = assertLiteral(shown.value, value);
          const trusted = typeof shown.isTrusted === 'object' ? shown.isTrusted.enabledCommands : [];
          assert.notEqual(shown.isTrusted, true);
          assert.deepEqual(
            [...trusted],
            links.map((link) => link.slice('command:'.length).split('?')[0]),
          );
        }
    });

  it('is shown literally in a report', () => {
    for (const value of hostile) {
      const execution = makeExecution(value, {
        workflowId: value,
        eventIds: [value, value],
        status: { ...statusOf('failed'), state: 'unknown', word: value },
        error: failureOf(value),
        input: { [value]: value },
      });
      const report = renderReport({
        workflowName: value,
        execution,
        logs: logOf([
          makeNodeLog(1, { nodeId: value, nodeName: value, message: value, error: failureOf(value) }),
        ]),
        output: { kind: 'text', text: value, mediaType: value },
      });
      assert.deepEqual(assertLiteral(report, value).links, []);
      assert.equal(lexer(report).filter(({ type }) => type === 'heading').length, 5);
    }
  });

  it('is shown literally where a tool asks', async () => {
    for (const value of hostile) {
      const [theirs, mine] = [value, `${value}.`].map((name) => ({ name, nodes: [], edges: [] }));
      assert.ok(theirs && mine);
      const workflow = { ...makeWorkflow(value, { name: value }), raw: theirs };
      const deps = {
        workflows: { get: () => Promise.resolve(workflow), read: () => Promise.resolve(workflow) },
        executions: {
          get: () => Promise.resolve(makeExecution(value)),
          read: () => Promise.resolve(makeExecution(value)),
        },
      };
      const { signal } = new AbortController();
      for (const asked of [
        await confirmations.saveDefinition?.(deps, 'c', { workflowId: 'w', definition: mine }, signal),
        await confirmations.executeWorkflow?.(deps, 'c', { workflowId: 'w', input: { value } }, signal),
        await confirmations.retryExecution?.(
          deps,
          'c',
          { executionId: 'e', fromNodeId: `n${value}` },
          signal,
        ),
      ]) {
        assert.ok(asked?.message instanceof vscode.MarkdownString);
        assert.equal(asked.message.isTrusted, undefined);
        assert.deepEqual(readMarkdown(asked.message.value).links, []);
      }
    }
  });

  it('is tried in every file that shows Markdown', () => {
    const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /from '[./]+\/editor\/markdown\.ts'/.test(readFileSync(join(sourceFolder, name), 'utf8')),
      )
      .map((name) => relative(sourceFolder, join(sourceFolder, name)).replaceAll('\\', '/'));
    assert.deepEqual(files.sort(), [...covered]);
  });
});

describe('Markdown', () => {
  it('is only what the template says; values, also numbers, are text', () => {
    assert.equal(formatted`**${'*a*'}** ${1.5} ${formatted`_${'b_'}_`}`.source, '**\\*a\\*** 1.5 _b\\__');
  });

  it('is bounded: a text of a megabyte costs 2,000 characters', () => {
    assert.equal(formatted`${letters.repeat(65_536)}`.source.length, 2000);
  });

  it('leaves out what is empty', () => {
    assert.equal(paragraphs(['a', undefined, '', '\u0000', 'b']).source, 'a\n\nb');
    assert.equal(tooltip('a', [undefined, '']).value, '**a**');
  });

  it('fences code with more backticks than it has', () => {
    assert.equal(codeBlock('a ```` b', 'text').source, '`````text\na ```` b\n`````');
  });

  it('is trusted for the commands of its links alone', () => {
    const link = commandLink('execution.openLog', { connectionId: 'c', executionId: 'a)b(c' }, '[x]');
    const shown = tooltip('a', [link]);
    assert.deepEqual(shown.isTrusted, { enabledCommands: ['workflowAutomation.execution.openLog'] });
    assert.equal(lexer(shown.value).length, 3);
    assert.equal(tooltip('a', ['b']).isTrusted, undefined);
  });
});
