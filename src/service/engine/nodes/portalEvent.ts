import * as v from 'valibot';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../base/json.ts';
import { NodeError } from '../../errors.ts';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const Config = v.object({
  type: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{1,100}$/)),
  data: v.optional(v.custom<JsonObject>((value) => typeof value === 'object' && value !== null)),
});

/** Output: `{eventId, type}`. The event's type is `portal.<type>`. */
export const runPortalEvent: NodeBehaviour = async ({
  config,
  scope,
  sandbox,
  signal,
  conclude,
  publish,
}) => {
  const event = readConfig(Config, config);
  const { value: payload } = await sandbox.render(event.data ?? {}, scope, signal);
  if (!isJsonObject(payload))
    throw new NodeError('data_invalid', 'The data of a portal event must be an object.');
  const type = `portal.${event.type}`;
  const eventId = await publish(type, payload);
  conclude('info', `Published ${type}.`);
  return { text: stringifyJson({ eventId, type }) };
};
