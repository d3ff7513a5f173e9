import { FoldedText } from '#web/ui/FoldedText.tsx';

interface ReasonTextProps {
  reason: string | null;
  /** What the reason is about. */
  subject: string;
}

/** Why something is recommended; that no reason was given is said. */
export function ReasonText({ reason, subject }: ReasonTextProps) {
  if (reason === null || reason.trim() === '') return <span className="text-faint">No reason given.</span>;
  return <FoldedText text={reason} name={`reason for ${subject}`} />;
}
