import { useId, useState } from 'react';
import { SourcedText } from './SourcedText';
import { toReasonLead } from './reason';

interface ReasonTextProps {
  reason: string | null;
  /** What the reason is about, for the button's accessible name. */
  subject: string;
}

/** The first sentence; the whole on request. */
export function ReasonText({ reason, subject }: ReasonTextProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (reason === null || reason.trim() === '') return <span className="text-faint">No reason given.</span>;
  const { lead, isWhole } = toReasonLead(reason);
  return (
    <>
      <span id={id} className="break-words whitespace-pre-line">
        <SourcedText text={isOpen ? reason.trim() : lead} />
      </span>
      {!isWhole && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? `less: shorten the reason for ${subject}` : `more: the whole reason for ${subject}`}
          onClick={() => setOpen(!isOpen)}
          className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline"
        >
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </>
  );
}
