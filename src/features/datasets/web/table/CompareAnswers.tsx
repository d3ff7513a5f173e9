import { useQueries, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { wholeRowQuery } from '#features/datasets/web/api/rowQueries.ts';
import { RowChat } from '#features/datasets/web/row/RowChat.tsx';
import { toChat } from '#features/datasets/web/row/rowText.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { toErrorWords } from '#ui/client/failure.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { toAnswerChoices, toOthers, type AnswerChoice, type AnswerChoices } from './answerChoices.ts';
import { setAside } from './rowEditActions.ts';

interface CompareAnswersProps {
  datasetId: string;
  /** Positions of rows that ask the same. */
  groups: readonly (readonly number[])[];
  onClose: () => void;
}

const MAX_NAMED = 6;

/** "Rows 3, 17 and 40": the first of many. */
function toRowsText(positions: readonly number[]): string {
  const named = positions.slice(0, MAX_NAMED).map((position) => formatCount(position + 1));
  const more = positions.length - named.length;
  return `${positions.length === 1 ? 'Row' : 'Rows'} ${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

interface ChoicesProps {
  value: AnswerChoices;
  onKeep: (choice: AnswerChoice) => void;
}

function Choices({ value, onKeep }: ChoicesProps) {
  const { question, choices, majority } = value;
  const [first] = choices;
  return (
    <>
      <RowChat row={question} label="Question" />
      <div className="flex flex-wrap gap-2">
        {first && <ChangeButton onClick={() => onKeep(first)}>Keep the first</ChangeButton>}
        <ChangeButton
          disabledReason={majority ? null : 'No answer is in more than half of the rows.'}
          onClick={() => majority && onKeep(majority)}
        >
          Keep the majority
        </ChangeButton>
      </div>
      <ul aria-label="Answers" className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
        {choices.map((choice) => (
          <li key={choice.positions[0]} className="flex min-w-0 flex-col gap-1.5">
            <RowChat row={{ messages: [choice.answer] }} label={toRowsText(choice.positions)} />
            <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
              <ChangeButton
                size="small"
                aria-label={`Keep this: ${toRowsText(choice.positions)}`}
                onClick={() => onKeep(choice)}
              >
                Keep this
              </ChangeButton>
              <span>
                {toRowsText(choice.positions)}
                {choice === majority && ' · majority'}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Rows that ask the same and answer another thing, side by side: one answer is kept, the rows with others are set aside. */
export function CompareAnswers({ datasetId, groups: given, onClose }: CompareAnswersProps) {
  const client = useQueryClient();
  // Rows that are set aside are found no more, which would move the places of the others.
  const [groups] = useState(given);
  const [at, setAt] = useState(0);
  const of: RowsOf = { kind: 'dataset', id: datasetId };
  const positions = groups[at] ?? [];
  const rows = useQueries({ queries: positions.slice(0, DATA_LIMITS.page).map((each) => wholeRowQuery(of, each)) });
  const failed = rows.find(({ error }) => error);
  const isLoading = rows.some(({ data }) => !data);
  const counted = rows.flatMap(({ data }) =>
    data && !data.is_set_aside ? [{ position: data.position, chat: toChat(data.row) }] : [],
  );
  const choices = toAnswerChoices(counted);
  const keep = async (value: AnswerChoices, choice: AnswerChoice): Promise<void> => {
    const isDone = await setAside({ client, datasetId }, toOthers(value, choice), true);
    if (isDone) setAt((place) => Math.min(place + 1, groups.length - 1));
  };
  return (
    <Dialog title="Same question, other answers" isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
          <IconButton
            label="Question before"
            icon={<ChevronLeft aria-hidden size={15} />}
            onClick={() => setAt(at - 1)}
            disabledReason={at > 0 ? null : 'This is the first question.'}
          />
          <IconButton
            label="Next question"
            icon={<ChevronRight aria-hidden size={15} />}
            onClick={() => setAt(at + 1)}
            disabledReason={at < groups.length - 1 ? null : 'This is the last question.'}
          />
          <span aria-live="polite">
            Question {formatCount(at + 1)} of {formatCount(groups.length)} · {formatCounted(positions.length, 'row')}{' '}
            ask it
          </span>
        </div>
        {failed?.error ? (
          <ErrorNotice
            title="The rows can’t be shown"
            {...toErrorWords(failed.error)}
            onRetry={() => void failed.refetch()}
          />
        ) : isLoading ? (
          <Skeleton rows={6} />
        ) : choices === null || choices.choices.length < 2 ? (
          <div className="flex flex-wrap items-center gap-3 text-soft">
            <p>These rows agree now: those with other answers are set aside.</p>
            {at === groups.length - 1 && (
              <Button variant="primary" onClick={onClose}>
                Done
              </Button>
            )}
          </div>
        ) : (
          <Choices value={choices} onKeep={(choice) => void keep(choices, choice)} />
        )}
        <p className="text-sm text-soft">
          Rows with another answer than the one that you keep are set aside: new snapshots leave them out.
        </p>
      </div>
      <ToastRegion />
    </Dialog>
  );
}
