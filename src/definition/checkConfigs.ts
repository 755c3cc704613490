// Members of the nodes' configs that their types don't know: they are probably mistyped, and nothing reads them.
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { configSchemaOf } from './configSchema.ts';
import { type FoundFault, nameNode, replacements } from './definitionFault.ts';
import type { ConfiguredNode } from './graph.ts';
import { readBinary } from '../base/binary.ts';
import { findNested, sendsForm } from './requestFields.ts';
import { readTemplate } from './templates.ts';

export function checkConfigs(nodes: readonly ConfiguredNode[]): readonly FoundFault[] {
  return nodes.flatMap(({ id, type, config }, index) => {
    const known = configSchemaOf(type)?.properties;
    if (known === undefined) return [];
    const unused = Object.keys(known).filter((member) => !Object.hasOwn(config, member));
    return Object.keys(config)
      .filter((member) => !Object.hasOwn(known, member))
      .map((member): FoundFault => {
        const words = l10n.t('"{0}" isn\'t known', member);
        return {
          path: ['nodes', String(index), 'config', member],
          isName: true,
          message: `${nameNode(id)}: ${words}`,
          rule: 'nodeType',
          isWarning: true,
          findFixes: () => replacements(member, unused),
        };
      });
  });
}

// What HTTP request nodes can't send, as far as no template decides it.

export function checkRequests(nodes: readonly ConfiguredNode[]): readonly FoundFault[] {
  return nodes.flatMap(({ id, type, config }, index) => {
    if (type !== 'httpRequest') return [];
    const { query = {}, headers, body = '' } = config;
    const found = [
      ...checkQuery(query),
      ...checkHeaders(headers),
      ...(sendsForm(headers) ? checkForm(body) : []),
    ];
    return found.map(({ path, words }): FoundFault => ({
      path: ['nodes', String(index), 'config', ...path],
      message: `${nameNode(id)}: ${words}`,
      rule: 'nodeType',
    }));
  });
}

interface RequestFinding {
  readonly path: readonly string[];
  readonly words: string;
}

/** The schema finds what is wrong with an object. */
function checkQuery(query: JsonValue): readonly RequestFinding[] {
  if (typeof query !== 'string' || readTemplate(query).isValue) return [];
  return [{ path: ['query'], words: l10n.t('"{0}" must be an object, or a single {1}', 'query', '{{ … }}') }];
}

/** The characters of a header's name. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkHeaders(headers: JsonValue | undefined): readonly RequestFinding[] {
  if (!isJsonObject(headers)) return [];
  return Object.keys(headers)
    .filter((name) => !headerName.test(name))
    .map((name) => ({
      path: ['headers', name],
      words: l10n.t('"{0}" can\'t be the name of a header, such as "X-Request-Id"', name),
    }));
}

function checkForm(body: JsonValue): readonly RequestFinding[] {
  if (typeof body === 'string' || readBinary(body) !== undefined) return [];
  if (!isJsonObject(body)) return [{ path: ['body'], words: l10n.t('a form must be an object or text') }];
  return findNested(body).map((path) => ({
    path: ['body', ...path],
    words: l10n.t(
      '"{0}" in the form must be text, a number, a boolean or null, or a list of these',
      path.join('.'),
    ),
  }));
}
