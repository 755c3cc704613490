import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorReason } from '../../../src/domain/errors.ts';
import { describeError } from '../../../src/ui/words/describeError.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');
describe('words for failures', () => {
  const reasons: readonly ServiceErrorReason[] = [
    { kind: 'keyMissing' },
    { kind: 'keyRejected', code: null },
    { kind: 'forbidden' },
    { kind: 'notFound' },
    { kind: 'notOffered' },
    { kind: 'notOffered', isNotAdvertised: true },
    { kind: 'notDeployed' },
    { kind: 'conflict' },
    { kind: 'invalid', details: [{ path: 'nodes.0', message: 'has no id' }] },
    { kind: 'otherFormat', expected: 'service' },
    { kind: 'otherFormat', expected: 'n8n' },
    ...(
      [
        'noTrigger',
        'byHandOnly',
        'ownAuthentication',
        'onlyByAddress',
        'nothingToCall',
        'notInMcp',
        'closedNotInMcp',
        'unsaved',
        'notPinnable',
      ] as const
    ).map((because) => ({ kind: 'notStartable', because, by: 'n8n', names: ['Orders'] }) as const),
    { kind: 'tooLarge' },
    ...(['ended', 'notEnded', 'completed', 'nodeNotRun'] as const).map(
      (because) => ({ kind: 'notPossible', because }) as const,
    ),
    { kind: 'rateLimited', retryAt: now + 4200, isQuota: false },
    { kind: 'unavailable' },
    { kind: 'gap' },
    { kind: 'noList', says: null },
    { kind: 'noList', says: 'No such project.' },
    ...(['webPage', 'notJson', 'incomplete', 'tooLarge', 'notText', 'encoded', 'redirect'] as const).map(
      (cause) => ({ kind: 'unreadable', cause }) as const,
    ),
    ...(['dns', 'refused', 'tls', 'proxy', 'timeout', 'reset', 'other'] as const).map(
      (cause) => ({ kind: 'unreachable', cause }) as const,
    ),
  ];

  it('differ for every reason, and never blame the internet connection', () => {
    const messages = reasons.map((reason) => describeError(new ServiceError(reason, ''), now).message);
    assert.equal(new Set(messages).size, reasons.length);
    for (const message of messages) assert.doesNotMatch(message, /internet connection/i);
  });

  it('give the seconds left, the details, and the words of the service', () => {
    const say = (reason: ServiceErrorReason, message = '', status = 400) =>
      describeError(new ServiceError(reason, message, { status }), now).message;
    assert.match(say({ kind: 'rateLimited', retryAt: now + 4200, isQuota: false }), / 5 s\.$/);
    assert.match(
      say({ kind: 'invalid', details: [{ path: 'nodes.0', message: 'has no id' }] }),
      /nodes\.0: has no id/,
    );
    assert.match(say({ kind: 'forbidden' }, 'Only owners may.'), /The service says: Only owners may\.$/);
    assert.doesNotMatch(say({ kind: 'notFound' }, 'Not in the list.', 0), /says/);
  });
});
