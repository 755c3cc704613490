import { WordedError } from '../domain/errors.ts';

/** Several workflows have the name. */
export class AmbiguousName extends WordedError {
  override readonly name = 'AmbiguousName';
}

/** Nobody follows an execution any more, which goes on. */
export class FollowingEnded extends Error {
  override readonly name = 'FollowingEnded';
  readonly executionId: string;

  constructor(executionId: string, options: ErrorOptions) {
    super('The execution is no longer followed.', options);
    this.executionId = executionId;
  }
}
