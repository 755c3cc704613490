import type { LogLevel, NodeLog } from './nodeLog.ts';

/** A row of a log as it's shown. */
export interface LogLine {
  /** Its index among all rows of the log. */
  readonly position: number;
  /** One line or several, without a line end behind the last one. API keys are masked. */
  readonly text: string;
  /** Its node run in the log; null for a row of the execution itself. */
  readonly runId: number | null;
  readonly hasMaskedKeys: boolean;
  /** It only says that its node run has started. */
  readonly isBareStart: boolean;
}

/** Selects the rows of this level and more severe ones, of this node, and with this text, whatever its case. null: all. */
export interface LogFilter {
  readonly level: LogLevel | null;
  readonly nodeId: string | null;
  readonly text: string | null;
}

/** How rows become lines. */
export interface LogLines {
  readonly render: (row: NodeLog) => string;
  /** The same with the whole message, however long it is. */
  readonly renderWhole: (row: NodeLog) => string;
  /** True for a row that only says that its node run has started, which isn't shown once the run says more. */
  readonly isBareStart: (row: NodeLog) => boolean;
}
