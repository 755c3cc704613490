// The program of the thread that checks definitions while they are written, a bundle of its own: it answers each text with its faults.
import { parentPort, workerData } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { checkText } from './checkText.ts';
import { KnownExpressions } from './expressions.ts';
import { CheckOrder, CheckWords } from './checkMessages.ts';

const port = parentPort;
if (port === null) throw new TypeError('This file is for a worker thread.');
const known = new KnownExpressions();
const { words } = v.parse(CheckWords, workerData);
if (words !== undefined) l10n.config({ contents: words });
port.on('message', (message: unknown) => {
  const { text, isLocal } = v.parse(CheckOrder, message);
  port.postMessage(checkText(text, isLocal, known.findFault));
});
