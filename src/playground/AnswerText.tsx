import { lazy, Suspense } from 'react';
import { PlainOnError } from './PlainOnError';

const MarkdownView = lazy(async () => ({ default: (await import('./MarkdownView')).MarkdownView }));

interface AnswerTextProps {
  text: string;
  isLive: boolean;
}

/** An answer's text: markdown, and plain until the markdown view has loaded. */
export function AnswerText({ text, isLive }: AnswerTextProps) {
  return (
    <PlainOnError text={text}>
      <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
        <MarkdownView text={text} isLive={isLive} />
      </Suspense>
    </PlainOnError>
  );
}
