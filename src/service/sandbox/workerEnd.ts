/** Why a worker gave no result; the message ends a sentence, such as "it took longer than 1000 ms." */
export class WorkerEnd extends Error {
  override readonly name = 'WorkerEnd';
  readonly kind: 'timedOut' | 'outOfMemory' | 'crashed' | 'stopped';

  constructor(kind: WorkerEnd['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
