// The window has started again, and nobody used anything of ours in it.
import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { until } from './until.ts';
import { takeOver } from './userData.ts';

describe('after a start', () => {
  it('the files of the window that is gone are deleted, before anything of ours is used', async () => {
    const { left } = takeOver(v.object({ left: v.string() }));
    await until(
      () => existsSync(left),
      (isThere) => !isThere,
    );
  });
});
