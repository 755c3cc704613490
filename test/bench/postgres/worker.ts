// A worker process of the benchmark: its arguments are a kind and the URL of a database, its messages "begin" and "pause".
import * as v from 'valibot';
import { kinds, runners } from './rivals.ts';

const [kind, url] = v.parse(v.tuple([v.picklist(kinds), v.string()]), process.argv.slice(2));
const runner = await runners[kind](url);
const Message = v.picklist(['begin', 'pause']);
process.on('message', (message) => {
  void runner[v.parse(Message, message)]().then(() => process.send?.('done'));
});
process.once('disconnect', () => process.exit(0));
process.send?.('done');
