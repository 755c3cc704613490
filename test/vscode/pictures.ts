// Why: the README's picture is taken of the real thing; run it when what it shows has changed.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostTests, root, screenshots } from './paths.ts';
import { runInVsCode } from './runTests.ts';

const isTaken = await runInVsCode({
  developmentPath: root,
  installedPaths: [],
  testsPath: hostTests,
  environment: { WORKFLOW_TEST_FILES: 'firstMinute' },
  isBrowserOnly: true,
  isVerbose: false,
});
if (!isTaken) throw new Error('The picture could not be taken.');
copyFileSync(join(screenshots, 'completed.png'), join(root, 'media', 'screenshot.png'));
