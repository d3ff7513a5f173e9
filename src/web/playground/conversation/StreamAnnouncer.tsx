import { useDesk } from '#web/playground/desk/deskStore.ts';
import { toAnnouncement } from './announcement.ts';

/** Tells screen readers that answers began and ended, and nothing in between. */
export function StreamAnnouncer() {
  const text = useDesk(({ desk }) => toAnnouncement(desk));
  return (
    <output aria-live="polite" className="sr-only">
      {text}
    </output>
  );
}
