// Many executions at once, as many clients start them.
import { chain, execute, type Service } from '../calls.ts';

const clientCount = 12;

/** An execution of it waits for 700 ms. */
export const resting = chain(['start', 'trigger'], ['rest', 'delay', { milliseconds: 700 }]);

/** Executes the workflow `count` times, from 12 clients; returns the executions' ids. */
export async function executeMany(service: Service, workflowId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      ids.push(await execute(service, workflowId, {}));
    }
  };
  await Promise.all(Array.from({ length: clientCount }, client));
  return ids;
}
