// Why: mocha's dots, and the counts for the closing line.
import Mocha from 'mocha';
import { writeCounts } from './counts.ts';

class CountingDots extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      writeCounts(runner.stats);
    });
  }
}

// mocha loads a reporter with require, which takes this name for the whole module.
export { CountingDots as 'module.exports' };
