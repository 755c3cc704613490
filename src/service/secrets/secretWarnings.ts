// What a person should know when a secret is set.
import { findValueRisk, type ValueRisk } from '../../domain/secret.ts';
import type { UsableSecret } from './usableSecret.ts';

const looks: Readonly<Record<ValueRisk, string>> = {
  number: 'looks like a number',
  date: 'looks like a date',
  word: 'looks like an ordinary word',
  json: 'looks like a piece of JSON',
  short: 'has fewer than 12 characters',
};

/** One sentence for each; none of them contains the value. */
export function warningsOf({ name, value, origins }: UsableSecret): readonly string[] {
  const risk = findValueRisk(value);
  const chance =
    risk &&
    `The value of ${name} ${looks[risk]}, so it can also occur in ordinary text, where it's hidden too. Use a longer one if you can.`;
  const anywhere =
    origins.length === 0
      ? `${name} may be sent to any server that a workflow names. To allow only some, set it again with their origins, such as https://api.example.com.`
      : undefined;
  return [chance, anywhere].filter((words) => words !== undefined);
}
