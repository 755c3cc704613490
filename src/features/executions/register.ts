import { combine, type Disposable } from '../../base/disposable.ts';
import { type ExecutionCommandsDeps, registerExecutionCommands } from './commands/register.ts';
import { type FollowingDeps, registerFollowing } from './following/register.ts';
import { type NoticesDeps, registerNotices } from './notices/register.ts';
import { type ExecutionsViewDeps, registerExecutionsView } from './tree/register.ts';

export interface ExecutionsDeps
  extends ExecutionCommandsDeps, ExecutionsViewDeps, FollowingDeps, NoticesDeps {}

export function registerExecutions(deps: ExecutionsDeps): Disposable {
  return combine(
    registerExecutionCommands(deps),
    registerExecutionsView(deps),
    registerFollowing(deps),
    registerNotices(deps),
  );
}
