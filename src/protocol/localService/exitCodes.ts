/** Exit codes of the service's program, which the launcher acts on. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  /** Another service uses the data folder. */
  alreadyRunning: 3,
  /** The data can't be read. */
  dataDamaged: 4,
} as const;
