// Worker processes, as many machines would run them.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../rig/paths.ts';
import type { Kind } from './rivals.ts';

const program = join(root, 'test', 'bench', 'postgres', 'worker.ts');

export class Workers {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  static async start(kind: Kind, count: number, url: string): Promise<Workers> {
    const children = Array.from({ length: count }, () => fork(program, [kind, url], { execArgv: [] }));
    await Promise.all(children.map((child) => once(child, 'message')));
    return new Workers(children);
  }

  get pids(): readonly number[] {
    return this.#children.map(({ pid = -1 }) => pid);
  }

  begin(): Promise<void> {
    return this.#tell('begin');
  }

  pause(): Promise<void> {
    return this.#tell('pause');
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map((child) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        return ended;
      }),
    );
  }

  async #tell(word: string): Promise<void> {
    await Promise.all(
      this.#children.map((child) => {
        const answered = once(child, 'message');
        child.send(word);
        return answered;
      }),
    );
  }
}
