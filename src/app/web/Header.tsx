import { BookOpen, History, LogOut, Cloud, HardDrive } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { toRightsSentence, toRightsWords } from '#ui/client/rights.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { ModeSwitch } from '#app/web/layout/ModeSwitch.tsx';
import { LayoutControls } from '#app/web/layout/LayoutControls.tsx';
import { Logo } from './Logo.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';

interface ModeChipProps {
  session: SessionInfo;
  isCompact: boolean;
}

function toHost(remote: string | null): string {
  if (remote === null) return 'Remote studio';
  return URL.canParse(remote) ? new URL(remote).host : remote;
}

/** Which studio answers: the local one, or a remote one that it forwards requests to; whose token asks, and what it may do. */
function ModeChip({ session, isCompact }: ModeChipProps) {
  const isLocal = session.mode === 'local';
  const Icon = isLocal ? HardDrive : Cloud;
  const text = isLocal ? 'Local studio' : toHost(session.remote);
  const title = isLocal
    ? 'Data, training and inference are on the machine that runs this studio.'
    : `Requests are passed on to ${session.remote ?? 'a remote studio'}.`;
  return (
    <span
      title={`${title} ${toRightsSentence(session)}`}
      className="flex h-6 min-w-8 shrink items-center gap-1.5 rounded-md border border-line px-2 text-sm text-soft"
    >
      <Icon aria-hidden size={13} className="shrink-0" />
      <span className={isCompact ? 'sr-only' : 'max-w-48 truncate'}>{text}</span>
      <span className={session.who === null && isCompact ? 'sr-only' : 'max-w-40 truncate max-[560px]:sr-only'}>
        {isCompact ? '' : '· '}
        {toRightsWords(session)}
      </span>
    </span>
  );
}

interface HeaderProps {
  session: SessionInfo;
  isNarrow: boolean;
  /** A project is on screen, so there are three panels to arrange. */
  hasTree: boolean;
  /** The project on screen, and a way to change it. */
  project: ReactNode;
  /** The age of the data on screen. */
  freshness: ReactNode;
}

export function Header({ session, isNarrow, hasTree, project, freshness }: HeaderProps) {
  const leave = () => runCommand('sign-out');
  const more = [
    {
      label: 'API reference',
      icon: <BookOpen aria-hidden size={13} />,
      onSelect: () => void window.open('/reference', '_blank', 'noopener'),
    },
    { label: 'Who changed what', icon: <History aria-hidden size={13} />, onSelect: () => runCommand('activity-log') },
    { label: 'Sign out', icon: <LogOut aria-hidden size={13} />, onSelect: leave },
  ];
  return (
    <header
      className={
        'flex h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 max-[560px]:gap-1.5 ' +
        'max-[560px]:px-2'
      }
    >
      <h1>
        <Logo isNameHidden={isNarrow} />
      </h1>
      <span className="flex min-w-28 shrink max-[560px]:min-w-14">{project}</span>
      <PaletteButton />
      <span className="flex-1 max-[560px]:hidden" />
      {freshness}
      <ModeChip session={session} isCompact={isNarrow} />
      <span className="hidden max-[560px]:ml-auto max-[560px]:flex">
        <ThemeMenu more={more} />
      </span>
      <span className="flex shrink-0 items-center max-[560px]:hidden">
        {!isNarrow && hasTree && <ModeSwitch />}
        {!isNarrow && hasTree && <LayoutControls />}
        <ThemeMenu />
        <a
          href="/reference"
          target="_blank"
          rel="noopener"
          aria-label="API reference"
          data-tip="API reference"
          className={
            'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-neutral-soft ' +
            'hover:text-ink'
          }
        >
          <BookOpen aria-hidden size={15} />
        </a>
        <IconButton label="Sign out" icon={<LogOut aria-hidden size={15} />} onClick={leave} />
      </span>
    </header>
  );
}
