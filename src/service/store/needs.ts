// What an execution needs of the process that runs it. It's decided when the execution is created, and is part of the name of its queue: a
// process looks only into the queues whose executions it can run.

/**
 * The highest level of needs that this version knows. An execution has the level of the newest thing that it uses, and a process takes
 * none whose level is above its own. Raise it, with a new row, whenever executions can use something that the version before would carry
 * out wrongly.
 *
 * | Level | What an execution of it uses                                                                                     |
 * | ----- | ---------------------------------------------------------------------------------------------------------------- |
 * | 1     | Nothing of the levels below. Versions that compare no levels take every execution: see `hasOlderProcesses`.        |
 * | 2     | It's a draft or a retry, has an error branch, or an HTTP request node with secrets or with `query`.                |
 * | 3     | Its HTTP request nodes get answers instead of sending.                                                             |
 * | 4     | Its lease, which is in its own row: all executions that this version creates.                                      |
 */
export const knownLevel = 4;
/** The level from which the lease of an execution is in its own row. Processes that know less have leases in tables of OpenWorkflow. */
export const leaseLevel = 4;

/** What an execution needs. */
export interface Needs {
  readonly level: number;
  /** Needs a process that can read the stored secrets. */
  readonly readsSecrets: boolean;
}

/** The executions of one workflow that have the same needs wait together, in order. */
export interface Queue extends Needs {
  readonly name: string;
  /** The workflow's id: the owner of a share of the process. */
  readonly workflow: string;
}

/** The queue in which earlier versions have all their executions. Their needs aren't known, but all of them can run with level 1. */
export const commonQueue: Queue = {
  name: 'default',
  level: 1,
  readsSecrets: true,
  workflow: '',
};

export function queueOf(workflow: string, needs: Needs): Queue {
  const { readsSecrets } = needs;
  const level = Math.max(needs.level, leaseLevel);
  return { name: `${level}${readsSecrets ? '+secrets' : ''}/${workflow}`, level, readsSecrets, workflow };
}

/** Returns undefined for a name that this version doesn't know. */
export function readQueue(name: string): Queue | undefined {
  if (name === commonQueue.name) return commonQueue;
  const [, level, secrets, workflow] = /^(\d+)(\+secrets)?\/(.+)$/s.exec(name) ?? [];
  if (level === undefined || workflow === undefined) return undefined;
  return { name, level: Number(level), readsSecrets: secrets !== undefined, workflow };
}
