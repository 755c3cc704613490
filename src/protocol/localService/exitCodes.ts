/** How the service's program ends; the launcher tells from it what to do next. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  /** Another service works on the data folder. */
  alreadyRunning: 3,
  /** The data cannot be read. */
  dataDamaged: 4,
} as const;
