import { useNow } from '#web/ui/useNow.ts';
import { toQuietText } from './quiet.ts';
import { readHeard } from '#web/playground/desk/runningAnswers.ts';

/** Beside Stop, while an answer is on its way: for how long nothing more of it has come. */
export function QuietNote({ paneId }: { paneId: string }) {
  const text = toQuietText(readHeard(paneId), useNow(1000));
  if (text === null) return null;
  return (
    <span
      className="shrink-0 px-1 text-sm whitespace-nowrap text-wait"
      title="The answer goes on as soon as more of it comes. Stop keeps what has arrived."
    >
      {text}
    </span>
  );
}
