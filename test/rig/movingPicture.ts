// A moving picture of screenshots: a GIF, since that's what a README shows everywhere.
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { root } from './paths.ts';

export interface Frame {
  /** A PNG. */
  readonly picture: Buffer;
  readonly milliseconds: number;
}

/** What the page's script leaves there for the call below. */
declare global {
  var encodeFrames: (
    frames: readonly { readonly data: string; readonly delay: number }[],
    width: number,
    height: number,
  ) => Promise<string>;
}

const script = `
  import { Encoder } from 'modern-gif';
  globalThis.encodeFrames = async (frames, width, height) => {
    const encoder = new Encoder({ width, height, maxColors: 255 });
    for (const frame of frames) await encoder.encode(frame);
    const bytes = new Uint8Array(await encoder.flush('arrayBuffer'));
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  };
`;

/** Joins frames that are the same, so that a picture that stands still costs nothing. */
function joined(frames: readonly Frame[]): readonly Frame[] {
  const result: Frame[] = [];
  for (const frame of frames) {
    const last = result.at(-1);
    if (last?.picture.equals(frame.picture) === true)
      result[result.length - 1] = {
        picture: last.picture,
        milliseconds: last.milliseconds + frame.milliseconds,
      };
    else result.push(frame);
  }
  return result;
}

/** Makes a GIF of frames of one size, in pixels. It repeats for ever. */
export async function makeMovingPicture(
  browser: Browser,
  frames: readonly Frame[],
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root },
    bundle: true,
    write: false,
    format: 'iife',
  });
  const page = await browser.newPage();
  try {
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    const pictures = joined(frames).map(({ picture, milliseconds }) => ({
      data: `data:image/png;base64,${picture.toString('base64')}`,
      delay: milliseconds,
    }));
    const encoded = await page.evaluate(
      (all) => globalThis.encodeFrames(all.pictures, all.width, all.height),
      { pictures, width, height },
    );
    return Buffer.from(encoded, 'base64');
  } finally {
    await page.close();
  }
}
