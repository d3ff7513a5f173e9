import { useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { ApiFailure } from '../api/failure';
import { sessionQuery } from '../api/queries';
import { signOut } from '../api/signIn';
import type { SessionInfo } from '../contract/routes';
import { IconButton } from '../ui/IconButton';
import { showToast } from '../ui/toast';
import { LayoutControls } from './LayoutControls';
import { LiveIndicator } from './LiveIndicator';
import { Mark } from './Mark';
import { ModeChip } from './ModeChip';
import { ProjectSelect } from './ProjectSelect';
import { ThemeMenu } from './ThemeMenu';

interface HeaderProps {
  session: SessionInfo;
  projectId: string | null;
  isNarrow: boolean;
}

export function Header({ session, projectId, isNarrow }: HeaderProps) {
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
      <ProjectSelect projectId={projectId} />
      <span className="flex-1" />
      {projectId !== null && <LiveIndicator key={projectId} projectId={projectId} />}
      <ModeChip session={session} isCompact={isNarrow} />
      <span className="flex items-center">
        {!isNarrow && <LayoutControls />}
        <ThemeMenu />
        <IconButton label="Sign out" icon={<LogOut aria-hidden size={15} />} onClick={() => void leave()} />
      </span>
    </header>
  );
}
