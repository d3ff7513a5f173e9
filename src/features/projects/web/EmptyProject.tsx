import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

/** In place of the rows of a project without any. */
export function EmptyProject({ id }: { id: string }) {
  const { data: roots } = useQuery(knownRootsQuery());
  if (roots === undefined) return null;
  if (roots?.some((root) => root.id === id))
    return <EmptyState title="No runs yet">The runs of this folder appear here by themselves.</EmptyState>;
  return (
    <EmptyState icon={<Upload aria-hidden size={20} />} title="No datasets yet">
      This project is empty. Drop a file on the page, or press Add above.
    </EmptyState>
  );
}
