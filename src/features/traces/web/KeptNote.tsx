import { useQuery } from '@tanstack/react-query';
import { useUrlState } from '#ui/address/urlState.ts';
import { traceSettingsQuery } from './traceQueries.ts';

/** Says in the playground that answers are kept, where the project on screen keeps them. */
export function KeptNote() {
  const { project } = useUrlState();
  const { data } = useQuery({ ...traceSettingsQuery(project ?? ''), enabled: project !== null });
  if (data?.keeps_chats !== true) return null;
  return (
    <p className="border-b border-line px-3 py-1.5 text-sm text-soft">
      Answers of this project’s models are kept as traces. The project’s Traces tab switches it off.
    </p>
  );
}
