// Whether projects, datasets and snapshots can be made from this page.
import type { SessionInfo } from '#shared/contract/routes.ts';

/** Why not, and what to do instead; null: they can. */
export function toDataRefusal(session: Pick<SessionInfo, 'mode' | 'remote'> | undefined): string | null {
  if (session?.mode !== 'gateway') return null;
  return `This studio passes requests on to ${session.remote ?? 'a remote studio'}. Make projects and datasets there.`;
}
