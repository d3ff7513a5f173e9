import { TriangleAlert } from 'lucide-react';
import { toReachNotice } from './shareLink.ts';

/** Says so where a link to this studio opens on no other machine. */
export function ReachNotice() {
  const notice = toReachNotice(window.location.hostname);
  if (notice === null) return null;
  return (
    <p className="flex gap-2 rounded-md border border-wait bg-wait-soft px-2.5 py-2 text-sm">
      <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0 text-wait" />
      {notice}
    </p>
  );
}
