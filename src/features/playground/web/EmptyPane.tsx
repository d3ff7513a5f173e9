import { MessageSquareText } from 'lucide-react';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { focusMessage } from '#features/playground/web/desk/paneFocus.ts';
import { reportProblem } from '#features/playground/web/sessions/lazyActions.ts';

interface EmptyPaneProps {
  paneId: string;
  model: string;
  /** null: the service knows none for this model. */
  examples: Examples | null;
  /** The service lists models, but not this one. */
  isUnlisted: boolean;
  /** The service has no model to offer. */
  isModelless: boolean;
}

const SHOWN = 4;

/** Before the first message: what the model is for, and prompts to try if the studio knows some. */
export function EmptyPane({ paneId, model, examples, isUnlisted, isModelless }: EmptyPaneProps) {
  if (!examples) {
    return (
      <EmptyState
        icon={<MessageSquareText aria-hidden size={20} />}
        title={model !== '' ? 'No messages yet' : isModelless ? 'No models yet' : 'Choose a model'}
      >
        {isUnlisted && (
          <p className="mb-2 text-ink">
            {`This studio lists no model “${model}”. Choose one above, or run it anyway.`}
          </p>
        )}
        {model !== ''
          ? 'Write a message below. Every pane gets it.'
          : isModelless
            ? 'Restart the studio with --model NAME=FILE.gguf or --engine URL.'
            : 'Choose a model above, or type a model id.'}
      </EmptyState>
    );
  }
  const use = async (prompt: string) => {
    const { applyExample } = await import('#features/playground/web/desk/exampleActions.ts');
    applyExample(paneId, examples, prompt);
    focusMessage();
    return null;
  };
  return (
    <div className="flex flex-col gap-2 p-3">
      <p className="text-soft">{examples.about}</p>
      <p className="mt-1 text-xs font-semibold text-faint">Try one of these</p>
      <ul className="flex flex-col gap-1.5">
        {examples.prompts.slice(0, SHOWN).map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              onClick={() => void reportProblem(use(prompt))}
              className={
                'w-full rounded-lg border border-line bg-raised px-2.5 py-1.5 text-left [overflow-wrap:anywhere] ' +
                'hover:border-faint'
              }
            >
              <span className="line-clamp-3">{prompt}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
