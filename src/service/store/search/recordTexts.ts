import { visitValues } from '../../../base/jsonValues.ts';
import { foldText } from '../../../domain/findText.ts';
import type { Sql } from '../database.ts';
import { findValue } from '../payloads.ts';
import type { StoredRecord } from './executionValues.ts';

/** Returns the texts and numbers of the values, folded, each once. */
export async function readTexts(
  sql: Sql,
  executionId: string,
  { values }: StoredRecord,
): Promise<readonly string[]> {
  const texts = new Set<string>();
  for (const { stored } of values)
    visitValues((await findValue(sql, executionId, stored)) ?? '', (text) => {
      texts.add(foldText(text));
      return false;
    });
  return [...texts];
}
