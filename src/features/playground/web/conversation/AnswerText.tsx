import { Suspense } from 'react';
import { toMarkdown } from '#ui/markdown/jsonAnswer.ts';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import { toPreloadedView } from '#ui/lazy/preloadedView.ts';

// Loads with the playground, so that the first answer doesn't wait for it.
const markdown = toPreloadedView(async () => (await import('#ui/markdown/MarkdownView.tsx')).MarkdownView);
void markdown.prefetch();

interface AnswerTextProps {
  text: string;
  isLive: boolean;
}

/** An answer's text: markdown, JSON as code; plain text until the view has loaded. */
export function AnswerText({ text, isLive }: AnswerTextProps) {
  return (
    <PlainOnError text={text}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <markdown.View text={toMarkdown(text)} isLive={isLive} />
      </Suspense>
    </PlainOnError>
  );
}
