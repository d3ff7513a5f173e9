import { Suspense, useState } from 'react';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import type { Answer } from '#features/playground/web/desk/desk.ts';

const TokensView = toLazyPart('The probabilities of tokens', async () => (await import('./TokensView.tsx')).TokensView);

/** Folded at first. Text that a person wrote has no probabilities. */
export function AnswerTokens({ answer }: { answer: Answer }) {
  const [isOpen, setOpen] = useState(false);
  if (answer.message.hasLogprobs !== true || answer.isEdited) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="mb-2 text-sm">
      <summary className="min-h-6 py-0.5 text-soft">Token probabilities</summary>
      {isOpen && (
        <PlainOnError text="The probabilities could not be loaded. Reload the page to try again.">
          <Suspense fallback={<Skeleton rows={3} />}>
            <TokensView answer={answer} />
          </Suspense>
        </PlainOnError>
      )}
    </details>
  );
}
