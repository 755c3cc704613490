import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../../src/base/json.ts';
import { commandId } from '../../../src/editor/commands/names.ts';
import { commandNames } from '../../support/commandNames.ts';
import { root } from '../../rig/paths.ts';

const pictureSchema = v.object({ light: v.string(), dark: v.string(), hc: v.string(), hcLight: v.string() });
const Step = v.object({
  id: v.string(),
  description: v.string(),
  media: v.object({ image: pictureSchema, altText: v.string() }),
  completionEvents: v.array(v.string()),
});
const Manifest = v.object({
  contributes: v.object({ walkthroughs: v.array(v.object({ id: v.string(), steps: v.array(Step) })) }),
});

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { walkthroughs } = v.parse(Manifest, parseJson(read('package.json'))).contributes;
const texts = v.parse(v.record(v.string(), v.string()), parseJson(read('package.nls.json')));
const commandIds: readonly string[] = commandNames.map(commandId);

/** Keeps the package small. */
const maximumPictureBytes = 80_000;

describe('the walkthrough', () => {
  const [walkthrough] = walkthroughs;
  it('is the one that is opened by itself, and from the view without a connection', () => {
    assert.deepEqual(
      walkthroughs.map(({ id }) => id),
      ['start'],
    );
    assert.match(
      read('src/features/walkthrough/register.ts'),
      /'workflow-automation\.workflow-automation#start'/,
    );
    assert.ok(
      texts['welcome.none']?.includes(
        `(command:workbench.action.openWalkthrough?${encodeURIComponent('"workflow-automation.workflow-automation#start"')})`,
      ),
    );
  });

  for (const { id, description, media, completionEvents } of walkthrough?.steps ?? []) {
    it(`has small pictures for the step "${id}", light and dark`, () => {
      for (const path of Object.values(media.image)) {
        const bytes = readFileSync(join(root, path));
        assert.deepEqual(bytes.subarray(1, 4).toString(), 'PNG', path);
        assert.ok(bytes.length < maximumPictureBytes, `${path} has ${bytes.length} bytes`);
      }
    });

    it(`names only known commands in the step "${id}", and ends it with one that the step offers or by what it starts`, () => {
      const text = texts[description.slice(1, -1)] ?? '';
      const offered = [...text.matchAll(/\]\(command:([^)]+)\)/g)].map(([, command = '']) => command);
      assert.ok(offered.length > 0);
      const ended = completionEvents.flatMap((event) => /^onCommand:(.+)$/.exec(event)?.[1] ?? []);
      for (const command of [...offered, ...ended]) assert.ok(commandIds.includes(command), command);
    });
  }
});
