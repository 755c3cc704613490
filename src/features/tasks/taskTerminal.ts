import * as vscode from 'vscode';
import { TaskRun, type TaskRunDeps, type TaskRunOptions, terminalSink } from './taskRun.ts';

const interruption = '\x03';

/** The terminal of a task: it shows the log, and Ctrl+C interrupts the task. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #writes = new vscode.EventEmitter<string>();
  readonly #ends = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.#writes.event;
  readonly onDidClose = this.#ends.event;
  readonly #run: TaskRun;

  constructor(deps: TaskRunDeps, options: Omit<TaskRunOptions, 'sink'>) {
    const sink = terminalSink((text) => this.#writes.fire(text));
    this.#run = new TaskRun(deps, { ...options, sink });
  }

  open(): void {
    void this.#run.run().then((code) => this.#ends.fire(code));
  }

  handleInput(data: string): void {
    if (data.includes(interruption)) this.#run.interrupt();
  }

  /** The window may be closing, so what was started isn't cancelled. */
  close(): void {
    this.#run.stop();
    this.#writes.dispose();
    this.#ends.dispose();
  }
}
