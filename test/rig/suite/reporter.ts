// Mocha's dots, and the results for the closing lines.
import Mocha from 'mocha';
import { recordResults } from './results.ts';

class RecordingDots extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    recordResults(runner);
  }
}

// mocha loads a reporter with require, which takes this name for the whole module.
export { RecordingDots as 'module.exports' };
