/** How many records the local service has. */
export interface LocalDataCounts {
  readonly workflows: number;
  readonly executions: number;
  /** Those that aren't revoked. */
  readonly apiKeys: number;
}
