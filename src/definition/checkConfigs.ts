// Members of the nodes' configs that their types don't know: they are probably mistyped, and nothing reads them.
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../base/json.ts';
import { configSchemaOf } from './configSchema.ts';
import { type FoundFault, nameNode, replacements } from './definitionFault.ts';
import type { GraphNode } from './graph.ts';

interface ConfiguredNode extends GraphNode {
  readonly config: JsonObject;
}

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
