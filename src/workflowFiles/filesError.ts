import { WordedError } from '../domain/errors.ts';

/** The folder isn't as it has to be. Nothing was sent. */
export class FilesError extends WordedError {
  override readonly name = 'FilesError';
}
