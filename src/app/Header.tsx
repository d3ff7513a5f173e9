import { useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure';
import { sessionQuery } from '../api/queries';
import { signOut } from '../api/signIn';
import type { SessionInfo } from '../contract/routes';
import { IconButton } from '../ui/IconButton';
import { showToast } from '../ui/toast';
import { LayoutControls } from './LayoutControls';
import { Mark } from './Mark';
import { ModeChip } from './ModeChip';
import { ThemeMenu } from './ThemeMenu';

interface HeaderProps {
  session: SessionInfo;
  isNarrow: boolean;
  /** Which project is on screen, and the way to another. */
  project: ReactNode;
  /** How old what is on screen is. */
  freshness: ReactNode;
}

export function Header({ session, isNarrow, project, freshness }: HeaderProps) {
  const client = useQueryClient();
  const leave = async () => {
    try {
      await signOut();
      client.clear();
      await client.resetQueries({ queryKey: sessionQuery().queryKey });
      window.location.reload();
    } catch (error) {
      showToast(`Signing out failed. ${error instanceof ApiFailure ? `${error.message} ${error.hint}` : ''}`, { tone: 'bad' });
    }
  };
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b border-line bg-surface px-3">
      <h1>
        <Mark isNameHidden={isNarrow} />
      </h1>
      {project}
      <span className="flex-1" />
      {freshness}
      <ModeChip session={session} isCompact={isNarrow} />
      <span className="flex items-center">
        {!isNarrow && <LayoutControls />}
        <ThemeMenu />
        <IconButton label="Sign out" icon={<LogOut aria-hidden size={15} />} onClick={() => void leave()} />
      </span>
    </header>
  );
}
