import { lazy, Suspense } from 'react';
import { toMarkdown } from './jsonAnswer';
import { PlainOnError } from './PlainOnError';

const MarkdownView = lazy(async () => ({ default: (await import('./MarkdownView')).MarkdownView }));

interface AnswerTextProps {
  text: string;
  isLive: boolean;
}

/** An answer's text: markdown, JSON as code, and plain until the view has loaded. */
export function AnswerText({ text, isLive }: AnswerTextProps) {
  return (
    <PlainOnError text={text}>
      <Suspense fallback={<p className="break-words whitespace-pre-wrap">{text}</p>}>
        <MarkdownView text={toMarkdown(text)} isLive={isLive} />
      </Suspense>
    </PlainOnError>
  );
}
