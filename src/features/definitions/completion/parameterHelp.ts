// Completion and hovers for the parameters of nodes, as far as the service describes them in time.
import type * as vscode from 'vscode';
import { isServiceError } from '../../../domain/errors.ts';
import { type Clock, within } from '../../../base/time.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { NodeParameter } from '../../../domain/nodeParameters.ts';
import type { TextPlace } from '../../../editor/lazy/lazySurfaces.ts';
import type { DefinitionTargets } from '../../../ui/definitionTargets.ts';
import type { Services } from '../../../model/connections/clients.ts';
import type { Explanation } from './hovers.ts';
import type { Offer } from '../../../ui/expressions/offer.ts';
import { findParameterPlace, type ParameterPlace, membersAt, parameterAt } from './parameterPlace.ts';
import * as l10n from '@vscode/l10n';
import { stringifyJson } from '../../../base/json.ts';
import { joined, plainLine } from '../../../base/format.ts';

/** How long a completion waits for the service, in milliseconds. What comes later is there for the next one. */
const maximumWaitMs = 300;

interface HelpDeps {
  readonly definitionTargets: DefinitionTargets;
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
  { definitionTargets, services, clock }: HelpDeps,
  uri: vscode.Uri,
  { node }: ParameterPlace,
): Promise<readonly NodeParameter[] | undefined> {
  const types = services.nodeTypes(definitionTargets.of(uri)?.connectionId ?? '');
  if (types === undefined || node.type === '') return undefined;
  const query = { type: node.type, version: node.typeVersion, parameters: node.parameters ?? {} };
  // Help that can't be had is no failure of what somebody types.
  const described = types.describe(query).catch((error: unknown) => {
    if (isServiceError(error)) return undefined;
    throw error;
  });
  return within(clock, maximumWaitMs, described);
}

const maximumWords = 500;

/** Names that are required come first. */
export function offerParameters(
  place: ParameterPlace,
  parameters: readonly NodeParameter[],
): readonly Offer[] {
  const { kind, path, others, span } = place;
  if (kind === 'name')
    return membersAt(parameters, path)
      .filter(({ name }) => !others.has(name))
      .map((parameter) => offerName(place, parameter));
  const parameter = parameterAt(parameters, path);
  return (parameter?.type.values ?? []).map((value) => ({
    kind: 'branch',
    label: plainLine(String(value), 80),
    description: stringifyJson(value) === defaultOf(parameter) ? l10n.t('default') : '',
    detail: '',
    documentation: plainLine(parameter?.description ?? '', maximumWords),
    before: stringifyJson(value),
    after: '',
    filter: stringifyJson(value),
    span,
    rank: 0,
  }));
}

/** Texts are written without their quotation marks. */
function defaultOf(parameter: NodeParameter | undefined): string {
  const { default: given = '', type } = parameter ?? {};
  return type?.values.includes(given) === true ? stringifyJson(given) : given;
}

function offerName({ span, hasColon }: ParameterPlace, parameter: NodeParameter): Offer {
  const { name, isRequired, type } = parameter;
  const written = stringifyJson(name);
  const [open, close] = type.values.some((value) => typeof value === 'boolean') ? ['', ''] : bracketsOf(type);
  return {
    kind: 'name',
    label: plainLine(name, 80),
    description: isRequired ? l10n.t('required') : '',
    detail: plainLine(type.text, 200),
    documentation: wordsOf(parameter),
    before: hasColon ? written : `${written}: ${open}`,
    after: hasColon ? '' : close,
    filter: written,
    span,
    rank: isRequired ? 0 : 1,
  };
}

function bracketsOf({ text, members }: NodeParameter['type']): readonly [open: string, close: string] {
  if (text.startsWith('Array')) return ['[', ']'];
  if (members.length > 0) return ['{ ', ' }'];
  return text.startsWith('number') || text.startsWith('IDataObject') ? ['', ''] : ['"', '"'];
}

function wordsOf({ description, default: given }: NodeParameter): string {
  return joined(
    [plainLine(description, maximumWords), given === '' ? '' : l10n.t('Default: {0}', plainLine(given, 100))],
    '\n',
  );
}

/** Explains the parameter whose name or value is at the place. */
export function explainParameter(
  { kind, name, path, span }: ParameterPlace,
  parameters: readonly NodeParameter[],
): Explanation | undefined {
  const found = parameterAt(parameters, kind === 'name' ? [...path, name] : path);
  if (found === undefined) return undefined;
  const words = [wordsOf(found)];
  return { span, title: plainLine(`${found.name}: ${found.type.text}`, 200), words, value: undefined };
}
