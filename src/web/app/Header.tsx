import { BookOpen, LogOut } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiFailure } from '#web/api/failure.ts';
import { signOut } from '#web/api/signIn.ts';
import type { SessionInfo } from '#shared/contract/routes.ts';
import { useCommands } from '#web/session/commands.ts';
import { leaveStudio } from '#web/session/leaveStudio.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { showToast } from '#web/ui/toast.ts';
import { ModeSwitch } from '#web/app/layout/ModeSwitch.tsx';
import { LayoutControls } from '#web/app/layout/LayoutControls.tsx';
import { Mark } from './Mark.tsx';
import { ModeChip } from './ModeChip.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { SignOutDialog } from './SignOutDialog.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';

const NAMES = ['sign-out'] as const;

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
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (isForgotten: boolean) => {
    try {
      await leaveStudio(isForgotten, signOut);
      window.location.reload();
    } catch (error) {
      setLeaving(false);
      const reason =
        error instanceof ApiFailure ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : '';
      showToast(`Signing out failed. ${reason}`, { tone: 'bad' });
    }
  };
  useCommands(NAMES, () => setLeaving(true));
  const more = [
    {
      label: 'API reference',
      icon: <BookOpen aria-hidden size={13} />,
      onSelect: () => void window.open('/reference', '_blank', 'noopener'),
    },
    { label: 'Sign out', icon: <LogOut aria-hidden size={13} />, onSelect: () => setLeaving(true) },
  ];
  return (
    <header
      className={
        'flex h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 max-[480px]:gap-1.5 ' +
        'max-[480px]:px-2'
      }
    >
      <h1>
        <Mark isNameHidden={isNarrow} />
      </h1>
      <span className="flex min-w-28 shrink max-[480px]:min-w-16">{project}</span>
      <PaletteButton isCompact={isNarrow} />
      <span className="flex-1 max-[480px]:hidden" />
      {freshness}
      <ModeChip session={session} isCompact={isNarrow} />
      <span className="hidden max-[480px]:ml-auto max-[480px]:flex">
        <ThemeMenu more={more} />
      </span>
      <span className="flex shrink-0 items-center max-[480px]:hidden">
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
            'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-off-soft ' +
            'hover:text-ink'
          }
        >
          <BookOpen aria-hidden size={15} />
        </a>
        <IconButton label="Sign out" icon={<LogOut aria-hidden size={15} />} onClick={() => setLeaving(true)} />
      </span>
      <SignOutDialog
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        onSignOut={(isForgotten) => void leave(isForgotten)}
      />
    </header>
  );
}
