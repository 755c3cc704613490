// The part that is loaded when a definition is first looked at.
export { readAllValues } from '../shownExecution/readShownValues.ts';
export { findHints } from './findHints.ts';
