// What a language model can do about an error.
import type { JsonObject } from '../base/json.ts';
import { isServiceError, type ServiceErrorReason } from '../domain/errors.ts';

/** A call that the tools refuse themselves, in words that say what to do next. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

/** A definition was saved, and then not deployed because of the cause: saved once more as a new one, it would be there twice. */
export class NotDeployed extends Error {
  override readonly name = 'NotDeployed';
  /** What is known of the workflow. */
  readonly saved: JsonObject;

  constructor(saved: JsonObject, options: ErrorOptions) {
    super('The definition was saved, but not deployed.', options);
    this.saved = saved;
  }
}

/** What to do next; undefined where only a person can help, as the error itself says. */
export function nextStep(error: unknown): string | undefined {
  if (error instanceof NotDeployed)
    return 'It is saved, but not deployed. Correct what the error names, and save that with this "workflowId".';
  if (!isServiceError(error)) return undefined;
  const { reason } = error;
  if (reason.kind === 'notStartable' && reason.because === 'unsaved')
    return 'Call saveDefinition without "deploy", then executeWorkflow with the same "definition".';
  return nextSteps[reason.kind];
}

const nextSteps: Readonly<Partial<Record<ServiceErrorReason['kind'], string>>> = {
  notFound: 'Call listWorkflows or listExecutions for the IDs that exist.',
  notDeployed: 'Call saveDefinition with "deploy": true, or executeWorkflow with a "definition".',
  notOffered: "This service can't do it. Don't call it again.",
  conflict:
    'Somebody changed the workflow. Call getDefinition, apply your change to what is there now, and save that.',
  notPossible: 'Call getExecution for the state of the execution and its nodes.',
  invalid: 'Correct what the error names. checkDefinition lists what is wrong with a definition.',
  otherFormat: 'Call getDefinition of any workflow to see the format of this service.',
  tooLarge: 'Send less.',
  rateLimited: 'Wait as long as the error says before the next call.',
  unavailable: 'Try again later.',
  unanswered: 'It may have started. Call listExecutions of the workflow before you try again.',
  keyMissing: 'Ask the user to set the API key.',
  keyRejected: 'Ask the user to replace the API key.',
  forbidden: "Ask the user for a key that may do this; don't try again with this one.",
  unreachable: 'Ask the user whether the service runs.',
  archived: 'Ask the user to unarchive the workflow.',
};
