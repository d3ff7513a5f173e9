import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { projectQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import type { RowMenuRequest } from './rowAction.ts';
import { TreePanel } from './TreePanel.tsx';

interface ProjectTreeProps {
  projectId: string;
  /** Renders the menu of a row. The tree doesn't know its actions. */
  renderMenu: (request: RowMenuRequest) => ReactNode;
  /** What else the tree offers, beside its filter. */
  more: ReactNode;
}

/** The live tree of a project: loading, failed, or loaded. After a failed poll the last answer stays. */
export function ProjectTree({ projectId, renderMenu, more }: ProjectTreeProps) {
  const { data, error, refetch } = useQuery(projectQuery(projectId));
  const retry = () => void refetch();
  if (data) {
    const notice = error && (
      <p className="mx-3 my-2 rounded-md bg-warning-soft px-2 py-1 text-sm text-warning">
        Not up to date: {error.message}{' '}
        <button type="button" onClick={retry} className="font-medium underline">
          Retry
        </button>
      </p>
    );
    return <TreePanel key={projectId} root={data} renderMenu={renderMenu} notice={notice} more={more} />;
  }
  if (error) {
    return (
      <EmptyState
        icon={<Unplug aria-hidden size={20} />}
        title="No tree"
        action={<Button onClick={retry}>Try again</Button>}
      >
        {error.message}
      </EmptyState>
    );
  }
  return <Skeleton rows={12} className="px-4 py-14" />;
}
