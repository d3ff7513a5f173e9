import { Suspense, type ReactNode } from 'react';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { AnswerCalls } from './AnswerCalls.tsx';
import { AnswerBody } from './AnswerBody.tsx';
import { AnswerFindings } from './AnswerFindings.tsx';
import { AnswerNotice } from './AnswerNotice.tsx';
import { AnswerTokens } from './AnswerTokens.tsx';
import { AnswerStatsRow } from './AnswerStatsRow.tsx';
import { hasContent, isBusy, paneSettings, shownAnswer, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { panePromptKey, paneSchemaKey } from '#features/playground/web/desk/promptKey.ts';
import { ReasoningView } from './ReasoningView.tsx';
import { answerSchema } from '#features/playground/web/desk/settings.ts';
import { TurnHeading } from './TurnHeading.tsx';
import { isAnswerToEarlierText } from '#features/playground/web/desk/turns.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { chooseVersion } from '#features/playground/web/desk/turnActions.ts';

interface VersionPagerProps {
  paneId: string;
  turnId: string;
  /** Index of the version on show. */
  shown: number;
  count: number;
}

/** Switches between the versions of an answer. Later requests hold the version on show. */
function VersionPager({ paneId, turnId, shown, count }: VersionPagerProps) {
  return (
    <fieldset aria-label="Versions" className="flex shrink-0 items-center font-normal text-soft tabular-nums">
      <IconButton
        label="Previous version"
        icon={<ChevronLeft aria-hidden size={13} />}
        className="w-5!"
        onClick={() => chooseVersion(paneId, turnId, shown - 1)}
        disabledReason={shown === 0 ? 'this is the first one' : null}
      />
      <span>
        {shown + 1}/{count}
      </span>
      <IconButton
        label="Next version"
        icon={<ChevronRight aria-hidden size={13} />}
        className="w-5!"
        onClick={() => chooseVersion(paneId, turnId, shown + 1)}
        disabledReason={shown === count - 1 ? 'this is the last one' : null}
      />
    </fieldset>
  );
}

// Lazy, because it imports the validator.
const SchemaVerdict = toLazyPart(
  'The check against the schema',
  async () => (await import('#features/playground/web/schemas/SchemaVerdict.tsx')).SchemaVerdict,
);

interface AnswerViewProps {
  turn: AnswerTurn;
  paneId: string;
  toolbar: ReactNode;
}

export function AnswerView({ turn, paneId, toolbar }: AnswerViewProps) {
  const paneModel = usePane(paneId, (pane) => pane.model);
  const answer = shownAnswer(turn);
  const { phase } = answer;
  const schema = usePane(paneId, (pane, desk) => answerSchema(paneSettings(desk, pane))) ?? null;
  // While a new version is empty, the previous one stays, greyed.
  const isEmpty = isBusy(phase) && !hasContent(answer.message);
  const previous = turn.versions[turn.shown - 1];
  // Except within a set of samples: there the previous version is a different sample.
  const { message } =
    (isEmpty && (answer.batch === null || previous?.batch !== answer.batch) ? previous : undefined) ?? answer;
  const isOutdated =
    usePane(paneId, (pane, desk) => isAnswerToEarlierText(pane.turns, turn.id, answer, desk.isAlone === true)) ?? false;
  const hasTools = usePane(paneId, (pane, desk) => (paneSettings(desk, pane).tools ?? '').trim() !== '') ?? false;
  const isOtherPrompt =
    usePane(paneId, (pane, desk) => answer.promptKey !== undefined && answer.promptKey !== panePromptKey(desk, pane)) ??
    false;
  const isOtherSchema =
    usePane(paneId, (pane, desk) => answer.schemaKey !== undefined && answer.schemaKey !== paneSchemaKey(desk, pane)) ??
    false;
  const origin = [
    isOtherPrompt ? 'generated with a different system prompt' : '',
    isOutdated ? 'answer to an earlier text' : '',
    answer.isEdited ? 'edited' : '',
    answer.model === paneModel ? '' : answer.model,
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <article aria-busy={isBusy(phase)} className="border-b border-line">
      <div className="pr-1.5 pl-3">
        <TurnHeading author="assistant" about={origin} toolbar={toolbar}>
          {turn.versions.length > 1 && (
            <VersionPager paneId={paneId} turnId={turn.id} shown={turn.shown} count={turn.versions.length} />
          )}
        </TurnHeading>
      </div>
      <div className={`px-3 pb-1 ${isEmpty ? 'opacity-55' : ''}`}>
        {message.reasoning !== '' && <ReasoningView answer={answer} />}
        {message.text !== '' && (
          <AnswerBody
            paneId={paneId}
            turnId={turn.id}
            text={message.text}
            isSettled={!isBusy(phase)}
            isLive={phase === 'streaming'}
          />
        )}
        {!hasTools && message.text.includes('<tool_call>') && (
          <p className="pb-1 text-soft">The model asks for tools that were not sent. Add them under Parameters.</p>
        )}
        <AnswerTokens answer={answer} />
        {message.toolCalls.length > 0 && <AnswerCalls turn={turn} paneId={paneId} message={message} />}
        {schema !== null && !isEmpty && message.text !== '' && (
          <PlainOnError text="The schema check could not be loaded. Reload the page to try again.">
            <Suspense fallback={<p className="min-h-7" />}>
              <SchemaVerdict answer={answer} schema={schema} isOther={isOtherSchema} />
            </Suspense>
          </PlainOnError>
        )}
        {phase === 'done' && !hasContent(message) && (
          <p className="pb-1 text-faint">
            {answer.isEdited ? 'This answer is empty.' : 'The model sent an empty answer.'}
          </p>
        )}
      </div>
      <AnswerFindings turn={turn} paneId={paneId} />
      <AnswerNotice answer={answer} paneId={paneId} />
      <AnswerStatsRow answer={answer} />
    </article>
  );
}
