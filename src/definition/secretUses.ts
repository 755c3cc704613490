import { isSecretName } from '../domain/secret.ts';
import type { DefinitionText } from './definitionText.ts';
import { secretsRead } from './expressionPlaces.ts';
import type { TextSpan } from './jsonString.ts';
import { canReadSecrets } from './nodeTypes.ts';

/** A secret that an expression reads. */
export interface SecretUse {
  readonly name: string;
  /** Of the expression in the text. */
  readonly span: TextSpan;
}

/** Those that the HTTP request nodes of a definition read. */
export function findSecretUses(definition: DefinitionText): readonly SecretUse[] {
  return definition.nodes
    .flatMap(({ expressions }) => expressions)
    .filter(({ nodeType, path }) => canReadSecrets(nodeType, path[0] ?? ''))
    .flatMap(({ expression, start, end }) =>
      secretsRead(expression)
        .filter(isSecretName)
        .map((name) => ({ name, span: { start, end } })),
    );
}
