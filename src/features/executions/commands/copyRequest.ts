// Copies the request of an HTTP request node as it was sent, without what was hidden of it.
import * as vscode from 'vscode';
import { type BinaryValue, readBinary } from '../../../base/binary.ts';
import { stringifyJson } from '../../../base/json.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { type HttpExchange, readExchange } from '../../../domain/httpExchange.ts';
import { hiddenValue } from '../../../domain/secret.ts';
import { copyText } from '../../../editor/prompts/statusBarMessage.ts';
import { hideKeys } from '../../../editor/hideKeys.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { charsetOf } from '../../../protocol/body.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { renderCurl, shellWord } from '../../../words/curl.ts';
import { type NodeRunArgument, requireRun } from '../../../ui/pickers/nodeRunPicker.ts';
import type { NodeRunDeps } from './opening.ts';

/** In lower case: headers of the connection, which curl makes itself for the address and the body as they are by then. */
const ownHeaders: readonly string[] = ['connection', 'content-length', 'host', 'transfer-encoding'];

export function renderRequestAsCurl({ request }: HttpExchange): string {
  const { method, url } = request;
  const headers = Object.entries(request.headers).filter(
    ([name]) => !ownHeaders.includes(name.toLowerCase()),
  );
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const body = bodyOf(request, type);
  // With a colon, curl leaves out a header without a value.
  const named = headers.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  // Else curl says that it's a form.
  const untyped = body !== undefined && type === undefined ? ['Content-Type:'] : [];
  return renderCurl({
    method,
    url,
    headers: [...named, ...untyped].map(shellWord),
    body,
    charset: typeof body === 'string' ? charsetFor(body, type) : undefined,
  });
}

function bodyOf({ body }: HttpExchange['request'], type = ''): string | BinaryValue | undefined {
  if (body === null) return undefined;
  const isText = typeof body === 'string' && !/\bjson\b/i.test(type);
  return readBinary(body) ?? (isText ? body : stringifyJson(body));
}

/** undefined for a text that has the same bytes in UTF-8. */
function charsetFor(text: string, type: string | undefined): string | undefined {
  const charset = charsetOf(type);
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return undefined;
  return charset.startsWith('utf-16') || /[^\0-\x7f]/.test(text) ? charset : undefined;
}

export function registerCopyRequest(deps: NodeRunDeps): Disposable {
  return deps.commands.register<'nodeRun.copyAsCurl', NodeRunArgument>('nodeRun.copyAsCurl', {
    ask: () => pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const run = await requireRun(deps, argument, isInteractive);
      const exchange = readExchange(await deps.executions.readWholeValue(argument, run, 'exchange'));
      if (exchange === undefined) throw new PlainError(vscode.l10n.t('This node run sent no HTTP request.'));
      const code = hideKeys(renderRequestAsCurl(exchange));
      if (isInteractive)
        await copyText(
          code,
          code.includes(hiddenValue)
            ? vscode.l10n.t('Copied. Before you run it, replace {0} with the hidden values.', hiddenValue)
            : vscode.l10n.t('Copied.'),
        );
      return code;
    },
  });
}
