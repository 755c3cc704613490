// Runners outside of this repository import it here.
export { renderLogLine } from '../../words/renderLogLine.ts';
