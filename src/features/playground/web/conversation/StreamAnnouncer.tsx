import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { toAnnouncement } from './announcement.ts';

/** Tells screen readers when answers begin and end, and nothing in between. */
export function StreamAnnouncer() {
  const text = useDesk(({ desk }) => toAnnouncement(desk));
  return (
    <output aria-live="polite" className="sr-only">
      {text}
    </output>
  );
}
