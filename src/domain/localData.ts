/** How much the local service keeps. */
export interface LocalDataCounts {
  readonly workflows: number;
  readonly executions: number;
  /** Those that aren't revoked. */
  readonly apiKeys: number;
}
