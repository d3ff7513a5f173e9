import { toTextParts } from './textParts.ts';
import { WholeNumbers } from './WholeNumbers.tsx';

interface LinkedTextProps {
  text: string;
}

/** Plain text with its web addresses and DOIs as links; each shows its full target. */
export function LinkedText({ text }: LinkedTextProps) {
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
