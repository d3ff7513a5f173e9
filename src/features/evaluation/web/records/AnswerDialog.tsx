import { useState } from 'react';
import type {
  AnswerPage,
  EvaluationAnswer,
  EvaluationRun,
} from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toScorerNames } from '#features/evaluation/shared/checkNames.ts';
import { AnswerDiff } from '#features/evaluation/web/AnswerDiff.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { formatDuration } from '#ui/kit/format.ts';
import { AnswerCell } from './AnswerCell.tsx';
import { toOutcomeWord } from './recordWords.ts';
import { SentRequest } from './SentRequest.tsx';
import { toAnswerText, toRowQuestion } from './rowTexts.ts';
import { ModelName } from './ModelName.tsx';

const LABEL = 'text-sm font-semibold text-soft';
const TEXT = 'rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap break-words';

interface OneAnswerProps {
  evaluation: Evaluation;
  runId: string;
  position: number;
  answer: EvaluationAnswer;
  /** The text that its differences are shown from; null: none. */
  against: string | null;
}

/** One answer with its verdicts, its differences from another text, and the request that was sent. */
function OneAnswer({ evaluation, runId, position, answer, against }: OneAnswerProps) {
  const [isSentShown, setSentShown] = useState(false);
  const text = toAnswerText(answer);
  const nameOf = toScorerNames(evaluation.checks);
  const facts = [
    ...(answer.ms === null ? [] : [formatDuration(answer.ms)]),
    ...(answer.completion_tokens === null ? [] : [`${answer.completion_tokens} tokens`]),
    ...(answer.finish_reason === null || answer.finish_reason === 'stop' ? [] : [`ended by ${answer.finish_reason}`]),
  ];
  return (
    <section aria-label={`Answer of ${answer.model}, repeat ${answer.repeat}`} className="flex flex-col gap-1">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="min-w-0 font-semibold">
          <ModelName model={answer.model} />
        </h3>
        <span className="text-sm text-soft">
          {answer.repeat > 1 && `repeat ${answer.repeat} · `}
          {facts.join(' · ')}
        </span>
        <Button size="small" variant="quiet" aria-expanded={isSentShown} onClick={() => setSentShown(!isSentShown)}>
          What was sent
        </Button>
      </span>
      <ul className="flex flex-col text-sm">
        {answer.verdicts.map((verdict) => {
          const { scorer, outcome, reason } = verdict;
          const tone = outcome === 'pass' ? 'text-success' : outcome === 'fail' ? 'text-error' : 'text-warning';
          return (
            <li key={scorer}>
              <span className={tone}>
                {nameOf(scorer)}: {toOutcomeWord(evaluation.checks, verdict)}
              </span>
              {reason !== null && <span className="text-soft"> {reason}</span>}
            </li>
          );
        })}
      </ul>
      {answer.error === null ? (
        against === null || against === text ? (
          <div className={TEXT}>{text === '' ? <span className="text-faint">empty</span> : text}</div>
        ) : (
          <AnswerDiff before={against} after={text} className={TEXT} />
        )
      ) : (
        <p className="text-error">{answer.error}</p>
      )}
      {isSentShown && <SentRequest runId={runId} position={position} model={answer.model} repeat={answer.repeat} />}
    </section>
  );
}

interface AnswerDialogProps {
  evaluation: Evaluation;
  run: EvaluationRun;
  row: AnswerPage['rows'][number];
  onClose: () => void;
  /** null: this is the first row shown. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** A row with the answers of all models side by side, compared with the expected answer or with the baseline's. */
export function AnswerDialog({ evaluation, run, row, onClose, onPrevious, onNext }: AnswerDialogProps) {
  const [compared, setCompared] = useState('none');
  const base = row.answers.find(({ model }) => model === run.baseline);
  const options = [
    { value: 'none', label: 'nothing' },
    ...(row.expected == null ? [] : [{ value: 'expected', label: 'the expected answer' }]),
    ...(base && run.models.length > 1 ? [{ value: 'baseline', label: 'the baseline' }] : []),
  ];
  const chosen = options.some(({ value }) => value === compared) ? compared : 'none';
  const against =
    chosen === 'expected' ? (row.expected ?? null) : chosen === 'baseline' && base ? toAnswerText(base) : null;
  return (
    <Dialog title={`Row ${row.position + 1}`} isOpen onClose={onClose}>
      <div key={row.position} className="flex flex-col gap-4">
        <section aria-label="Question">
          <h3 className={LABEL}>Question</h3>
          <p className="max-h-60 overflow-y-auto whitespace-pre-wrap break-words">
            {toRowQuestion(row, evaluation.prompt)}
          </p>
        </section>
        {row.expected != null && (
          <section aria-label="Expected answer">
            <h3 className={LABEL}>Expected answer</h3>
            <p className="whitespace-pre-wrap break-words">{row.expected}</p>
          </section>
        )}
        {Object.keys(row.tags ?? {}).length > 0 && (
          <p className="text-sm text-soft">
            {Object.entries(row.tags ?? {})
              .map(([tag, value]) => `${tag}: ${value}`)
              .join(' · ')}
          </p>
        )}
        {options.length > 1 && (
          <Select label="Differences from" value={chosen} options={options} onChange={setCompared} />
        )}
        {row.answers.length === 0 && <AnswerCell answers={[]} />}
        {row.answers.map((answer) => (
          <OneAnswer
            key={`${answer.model} ${answer.repeat}`}
            evaluation={evaluation}
            runId={run.id}
            position={row.position}
            answer={answer}
            against={answer === base && chosen === 'baseline' ? null : against}
          />
        ))}
      </div>
      <DialogFoot>
        <span className="flex gap-1.5">
          <Button
            size="small"
            onClick={() => onPrevious?.()}
            disabledReason={onPrevious ? null : 'This is the first row shown.'}
          >
            Previous row
          </Button>
          <Button
            size="small"
            onClick={() => onNext?.()}
            disabledReason={onNext ? null : 'This is the last row shown.'}
          >
            Next row
          </Button>
        </span>
      </DialogFoot>
    </Dialog>
  );
}
