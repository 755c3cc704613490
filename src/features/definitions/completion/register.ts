// Completion and hovers in definitions and in files named *.workflow.json.
import type { Disposable } from '../../../base/disposable.ts';
import { DefinitionText } from '../../../definition/definitionText.ts';
import type { TextPlace } from '../../../editor/lazy/lazySurfaces.ts';
import type { App } from '../../../ui/app.ts';
import type { KnownValues } from './definitionHelp.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { definitionFormats } from '../../../domain/definitionFormat.ts';

export type DefinitionHelpDeps = Pick<
  App,
  'clock' | 'definitionHelp' | 'definitionTargets' | 'definitionTexts' | 'secrets' | 'services'
>;

/** Values come from the execution that is shown on the definition, so nothing is asked of the service. */
export function registerDefinitionHelp(
  deps: DefinitionHelpDeps,
  drawnExecutions: DrawnExecutions,
): Disposable {
  const { definitionHelp, definitionTargets, definitionTexts, secrets, services } = deps;
  /** Somebody may have typed on since the editor asked. */
  const textOf = ({ document, text }: TextPlace): DefinitionText => {
    const current = definitionTexts.of(document);
    return current.text === text ? current : new DefinitionText(text, current.format);
  };
  const valuesOf = ({ document }: TextPlace): KnownValues => {
    const { connectionId = '' } = definitionTargets.of(document.uri) ?? {};
    return {
      drawn: drawnExecutions.find(document),
      secrets: secrets.known.current,
      canPin: services.offers(connectionId, 'draft'),
      canAnswer: services.offers(connectionId, 'answers'),
    };
  };
  return definitionHelp.attach({
    complete: async (place, trigger) => {
      const { complete, toItems } = await import('./definitionHelp.ts');
      const text = textOf(place);
      if (!definitionFormats[text.format].hasParameters)
        return complete(place, text, valuesOf(place), trigger);
      const { completeParameters } = await import('./parameterHelp.ts');
      return toItems(place, await completeParameters(deps, place, text));
    },
    explain: async (place) => {
      const { explain, toHover } = await import('./definitionHelp.ts');
      const text = textOf(place);
      const { explainParameters } = await import('./parameterHelp.ts');
      const found = definitionFormats[text.format].hasParameters
        ? await explainParameters(deps, place, text)
        : undefined;
      return found ? toHover(place, found) : explain(place, text, valuesOf(place));
    },
  });
}
