// Whether this page's studio keeps projects and their rows itself.
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { toReadOnlyReason } from '#ui/client/rights.ts';

/** Why something can't be done here, and where it can; null: it can. `action` begins a sentence: `Make datasets`. */
export function toDataRefusal(
  session: Pick<SessionInfo, 'mode' | 'remote'> | undefined,
  action: string,
): string | null {
  if (session?.mode !== 'gateway') return null;
  return `This studio passes requests on to ${session.remote ?? 'a remote studio'}. ${action} there.`;
}

/** The same for what changes data, which a token may be too weak for. */
export const toChangeRefusal = (
  session: Pick<SessionInfo, 'mode' | 'remote' | 'rights'> | undefined,
  action: string,
): string | null => toDataRefusal(session, action) ?? toReadOnlyReason(session);
