import { Cloud, HardDrive } from 'lucide-react';
import type { SessionInfo } from '#core/contract/routes.ts';

interface ModeChipProps {
  session: SessionInfo;
  isCompact: boolean;
}

function toHost(remote: string | null): string {
  if (remote === null) return 'Remote studio';
  return URL.canParse(remote) ? new URL(remote).host : remote;
}

/** Which studio answers: the local one, or a remote one that it forwards requests to. */
export function ModeChip({ session, isCompact }: ModeChipProps) {
  const isLocal = session.mode === 'local';
  const Icon = isLocal ? HardDrive : Cloud;
  const text = isLocal ? 'Local studio' : toHost(session.remote);
  const title = isLocal
    ? 'Data, training and inference are on the machine that runs this studio.'
    : `Requests are passed on to ${session.remote ?? 'a remote studio'}.`;
  return (
    <span
      title={title}
      className="flex h-6 min-w-8 shrink items-center gap-1.5 rounded-md border border-line px-2 text-sm text-soft"
    >
      <Icon aria-hidden size={13} className="shrink-0" />
      <span className={isCompact ? 'sr-only' : 'max-w-48 truncate'}>{text}</span>
    </span>
  );
}
