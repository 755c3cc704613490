// Completion and hovers for the parameters of nodes, as far as the service describes them in time.
import type * as vscode from 'vscode';
import { isServiceError } from '../../../domain/errors.ts';
import { type Clock, wait } from '../../../base/time.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { NodeParameter } from '../../../domain/nodeParameters.ts';
import type { TextPlace } from '../../../editor/lazy/lazySurfaces.ts';
import { definitionTarget } from '../../../ui/addresses.ts';
import type { Services } from '../../../model/connections/clients.ts';
import type { Explanation } from './hovers.ts';
import type { Offer } from '../../../ui/expressions/offer.ts';
import { explainParameter, offerParameters } from './parameterOffers.ts';
import { findParameterPlace, type ParameterPlace } from './parameterPlace.ts';

/** How long a completion waits for the service, in milliseconds. What comes later is there for the next one. */
const maximumWaitMs = 300;

interface HelpDeps {
  readonly services: Pick<Services, 'nodeTypes'>;
  readonly clock: Clock;
}

export async function completeParameters(
  deps: HelpDeps,
  { document, offset }: TextPlace,
  definition: DefinitionText,
): Promise<readonly Offer[]> {
  const place = findParameterPlace(definition, offset);
  const parameters = place && (await describe(deps, document.uri, place));
  return place && parameters ? offerParameters(place, parameters) : [];
}

export async function explainParameters(
  deps: HelpDeps,
  { document, offset }: TextPlace,
  definition: DefinitionText,
): Promise<Explanation | undefined> {
  const place = findParameterPlace(definition, offset);
  const parameters = place && (await describe(deps, document.uri, place));
  return place && parameters && explainParameter(place, parameters);
}

async function describe(
  { services, clock }: HelpDeps,
  uri: vscode.Uri,
  { node }: ParameterPlace,
): Promise<readonly NodeParameter[] | undefined> {
  const types = services.nodeTypes(definitionTarget(uri)?.connectionId ?? '');
  if (types === undefined || node.type === '') return undefined;
  const query = { type: node.type, version: node.typeVersion, parameters: node.parameters ?? {} };
  // Help that can't be had is no failure of what somebody types.
  const described = types.describe(query).catch((error: unknown) => {
    if (isServiceError(error)) return undefined;
    throw error;
  });
  return Promise.race([described, wait(clock, maximumWaitMs).then(() => undefined)]);
}
