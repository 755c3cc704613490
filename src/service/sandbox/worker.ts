// A worker: does one piece of work after the other, all of it written by authors. Nothing in it outlives the thread.
import { parentPort } from 'node:worker_threads';
import { isJsonArray, isJsonObject } from '../../base/json.ts';
import { checkDefinition } from '../definition/checkDefinition.ts';
import { NodeError } from '../engine/nodeError.ts';
import { writeJson } from './boundedJson.ts';
import { boundGlobals } from './boundGlobals.ts';
import { checkInput } from './checkInput.ts';
import { describe } from './describe.ts';
import { evaluateToText, evaluateToValue } from './expression.ts';
import { HeldValues } from './held.ts';
import { maximumCharacters } from './limits.ts';
import type { Answer, Order, Result, Task } from './messages.ts';
import { render, renderText } from './render.ts';
import { nameExpression } from './words.ts';

const port = parentPort;
if (port === null) throw new TypeError('This file is for a worker thread.');
boundGlobals();
const held = new HeldValues();
port.on('message', (order: Order) => {
  void answer(order).then(send);
});
send({ kind: 'ready' });

function send(message: Answer): void {
  port?.postMessage(message);
}

async function answer(order: Order): Promise<Answer> {
  try {
    held.update(order);
    return { kind: 'done', result: await work(order.task) };
  } catch (error) {
    if (error instanceof NodeError) return { kind: 'failed', code: error.code, message: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', code: 'node_crashed', message: `The node crashed: ${reason}` };
  }
}

async function work(task: Task): Promise<Result> {
  switch (task.kind) {
    case 'evaluate': {
      const text = await evaluateToText(task.expression, held.scope(task.scope));
      return { text, description: describe(text) };
    }
    case 'list':
      return list(task);
    case 'render':
      return writeJson(await render(task.value, held.scope(task.scope)), 'The filled values');
    case 'renderText':
      return renderText(task.text, held.scope(task.scope));
    case 'checkInput': {
      const input = held.get(task.input);
      return checkInput(task.schema, isJsonObject(input) ? input : {});
    }
    case 'checkDefinition':
      return checkDefinition(task.definition);
  }
}

/** JSONata gives a single item in place of a list of one, and nothing in place of an empty list. */
async function list({ expression, scope }: Task<'list'>): Promise<readonly string[]> {
  const value = await evaluateToValue(expression, held.scope(scope));
  const items = isJsonArray(value) ? value : value === null ? [] : [value];
  const texts = items.map((item) => JSON.stringify(item));
  const size = texts.reduce((sum, text) => sum + text.length + 1, 1);
  if (size > maximumCharacters)
    throw new NodeError('output_too_large', `${nameExpression(expression)} gave more than 1 MiB.`);
  return texts;
}
