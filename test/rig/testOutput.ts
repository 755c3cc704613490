// VS Code says much while tests run; a reader wants what the tests said, and the rest only when they never spoke.
import { Writable } from 'node:stream';

/** Stands before every line that the tests print, so that it can be told from VS Code's own. */
export const testMark = '│ ';

export interface TestOutput extends Writable {
  /** Prints what VS Code said when the tests said nothing: then it is the only trace of what went wrong. */
  showHeldBack(): void;
}

/** A sink for VS Code's output that prints the lines of the tests; all lines when verbose. */
export function createTestOutput(isVerbose: boolean, print: (text: string) => void): TestOutput {
  let rest = '';
  let heldBack = '';
  let hasSpoken = false;
  const take = (line: string): void => {
    const at = line.indexOf(testMark);
    if (at >= 0) hasSpoken = true;
    if (at >= 0 || isVerbose) print(`${at >= 0 ? line.slice(at + testMark.length) : line}\n`);
    else heldBack += `${line}\n`;
  };
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _encoding, done) {
      const lines = (rest + chunk.toString()).split(/\r?\n/);
      rest = lines.pop() ?? '';
      lines.forEach(take);
      done();
    },
  });
  return Object.assign(sink, {
    showHeldBack() {
      if (!hasSpoken) print(heldBack + rest);
    },
  });
}
