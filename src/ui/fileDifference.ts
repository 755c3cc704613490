import { equalJson, type JsonObject } from '../base/json.ts';
import type { DefinitionText } from '../definition/definitionText.ts';
import type { Workflow } from '../domain/workflow.ts';
import { emptied, parseDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';

interface Compared {
  readonly workflow: Workflow;
  readonly isDifferent: boolean;
}

/** Whether the texts of linked files say something else than the service has; each is compared once. */
export class FileDifferences {
  readonly #known = new WeakMap<DefinitionText, Compared>();

  /** undefined: it isn't known what the service has. */
  find(text: DefinitionText, workflow: Workflow | undefined): boolean | undefined {
    if (workflow?.hasDefinition !== true) return undefined;
    const known = this.#known.get(text);
    if (known?.workflow === workflow) return known.isDifferent;
    const isDifferent = differs(text.text, workflow);
    this.#known.set(text, { workflow, isDifferent });
    return isDifferent;
  }
}

/** Also true for a text that isn't a definition. */
export function differs(text: string, workflow: Workflow): boolean {
  const saved = toDefinition(workflow);
  const own = parseDefinition(text, saved);
  return own === undefined || !equalJson({ ...emptyMembers(saved), ...own }, saved);
}

/** What pushing a text without these members makes of them. */
function emptyMembers(saved: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(saved).map(([name, value]) => [name, emptied(value)]));
}
