import { useId, useState } from 'react';
import { toTextLead, toTextParts } from './textParts.ts';
import { usePrinting } from './usePrinting.ts';
import { WholeNumbers } from './WholeNumbers.tsx';

interface LinkedTextProps {
  text: string;
}

/** Plain text with its web addresses and DOIs as links; each shows its full target. */
function LinkedText({ text }: LinkedTextProps) {
  return toTextParts(text).map((part) =>
    part.href === null ? (
      <WholeNumbers key={part.at} text={part.text} />
    ) : (
      <a
        key={part.at}
        href={part.href}
        title={part.href}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
      >
        {part.text}
      </a>
    ),
  );
}

interface FoldedTextProps {
  text: string;
  /** Names the text in the button's accessible name: `reason for ...`. */
  name: string;
}

/** Shows the first sentence of a text; all of it on request, and on paper. */
export function FoldedText({ text, name }: FoldedTextProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isOpen = usePrinting() || isUnfolded;
  const id = useId();
  const { lead, isWhole } = toTextLead(text);
  return (
    <>
      <span id={id} className="whitespace-pre-line">
        <LinkedText text={isOpen ? text.trim() : lead} />
      </span>
      {!isWhole && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? `less: shorten the ${name}` : `more: the whole ${name}`}
          onClick={() => setUnfolded(!isOpen)}
          className="-my-1 ml-1 min-h-6 rounded px-1 text-accent hover:underline print:hidden"
        >
          {isOpen ? 'less' : 'more'}
        </button>
      )}
    </>
  );
}
