// How long the page of the graph takes from the extension's message to the drawn picture, beside a page that only draws as many boxes; and how fluently it moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { readGraph } from '../../src/features/graph/readGraph.ts';
import { GraphPage } from '../page/graphPage.ts';
import { canInstallWeb, installWeb } from '../rig/web/install.ts';
import { startBrowser } from '../rig/web/browser.ts';
import { largeDefinition, messagesFor, ranRow, shownExecution } from '../support/graphs.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const rounds = 5;
const size = { width: 1200, height: 500 };
const frames = 40;

/** Everything that the extension sends for a graph of so many nodes that all ran. */
function messages(count: number) {
  const definition = largeDefinition(count);
  const rows = readGraph(DefinitionText.of(definition), []).nodes.map(({ id }, index) =>
    ranRow(id, 'completed', [index * 10, index * 10 + 8]),
  );
  return messagesFor(definition, shownExecution(rows));
}

/** Milliseconds until the frame after the work is drawn. */
async function drawn(page: GraphPage, count: number): Promise<number> {
  return page.page.evaluate(async (all) => {
    const began = performance.now();
    for (const message of all) window.dispatchEvent(new MessageEvent('message', { data: message }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
  }, messages(count));
}

/** The floor: boxes with two lines of text each, and lines between them, at places that are known. */
async function bareBoxes({ page }: GraphPage, count: number): Promise<number> {
  return page.evaluate(async (boxes) => {
    const began = performance.now();
    const stage = document.createElement('div');
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (let index = 0; index < boxes; index += 1) {
      const box = document.createElement('div');
      box.className = 'node';
      box.style.left = `${(index % 40) * 190}px`;
      box.style.top = `${Math.floor(index / 40) * 60}px`;
      for (const text of [`The node number ${index}`, 'completed · 8 ms']) {
        const words = document.createElement('span');
        words.textContent = text;
        box.append(words);
      }
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      line.setAttribute('d', `M${index} 0L${index + 40} 60`);
      picture.append(line);
      stage.append(box);
    }
    stage.append(picture);
    document.body.append(stage);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
  }, count);
}

/** Milliseconds a frame while the drawing is moved and scaled with the wheel, one event a frame. */
async function moving({ page }: GraphPage): Promise<readonly number[]> {
  return page.evaluate(async (count) => {
    const graph = document.querySelector('.graph');
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const began = performance.now();
      graph?.dispatchEvent(
        new WheelEvent('wheel', { deltaX: 40, deltaY: index % 2 === 0 ? 20 : -20, ctrlKey: index % 4 === 3 }),
      );
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - began);
    }
    return times;
  }, frames);
}

export const graph: Benchmark = {
  name: 'The graph in its page',
  async measure() {
    if (!canInstallWeb) return [];
    const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-graph-'));
    const browser = await startBrowser({ browser: (await installWeb()).browser, folder });
    const times = async (measure: (page: GraphPage) => Promise<number>): Promise<readonly number[]> => {
      const values: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const page = await GraphPage.open(browser, size);
        values.push(await measure(page));
        await page.page.close();
      }
      return values;
    };
    try {
      const floor = await times((page) => bareBoxes(page, 200));
      const figures: Figure[] = [
        { name: '200 bare boxes', values: floor, unit: 'ms' },
        {
          name: '200 nodes from message to picture',
          values: await times((page) => drawn(page, 200)),
          unit: 'ms',
          comparedTo: '200 bare boxes',
          aim: 'under 300 ms',
        },
        {
          name: '500 nodes from message to picture',
          values: await times((page) => drawn(page, 500)),
          unit: 'ms',
        },
      ];
      const page = await GraphPage.open(browser, size);
      const empty = await moving(page);
      await drawn(page, 500);
      return [
        ...figures,
        { name: 'a frame without a graph', values: empty, unit: 'ms' },
        {
          name: 'a frame of 500 nodes moved and scaled',
          values: await moving(page),
          unit: 'ms',
          comparedTo: 'a frame without a graph',
        },
      ];
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
