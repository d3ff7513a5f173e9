// Whose token this page uses, and what it may do.
import { useQuery } from '@tanstack/react-query';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { sessionQuery } from './queries.ts';

export const READ_ONLY = 'Your token may read only: ask whoever runs the studio for one that may change things.';

/** Why nothing may be changed; null: it may, as far as is known. */
export const toReadOnlyReason = (session: Pick<SessionInfo, 'rights'> | undefined): string | null =>
  session?.rights === 'read' ? READ_ONLY : null;

/** For every control that changes what the studio keeps: why it is disabled; null: it is not. */
export const useReadOnlyReason = (): string | null => toReadOnlyReason(useQuery(sessionQuery()).data);

/** The name of a token; the owner's own token has none. */
export const toWhoWords = (who: string | null): string => who ?? 'Owner';

/** Such as "Anna" or "Anna, read only". */
export const toRightsWords = ({ who, rights }: Pick<SessionInfo, 'who' | 'rights'>): string =>
  rights === 'read' ? `${toWhoWords(who)}, read only` : toWhoWords(who);

/** A sentence on whose token this is, and what it may do. */
export function toRightsSentence({ who, rights }: Pick<SessionInfo, 'who' | 'rights'>): string {
  if (rights === 'own') return "You use the studio's own token, which may do everything.";
  return `You use the token of ${toWhoWords(who)}, which may ${rights === 'read' ? 'read only' : 'read and change things'}.`;
}
