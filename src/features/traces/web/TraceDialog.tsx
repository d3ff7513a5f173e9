import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { toMessageText } from '#features/traces/web/messageText.ts';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { Trace } from '#features/traces/shared/traces.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { Select } from '#ui/fields/Select.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { formatMoment } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { ScoreButtons } from './ScoreButtons.tsx';
import { toScoreText, toStateWords, type DatasetChoice } from './traceFilter.ts';
import { wholeTraceQuery } from './traceQueries.ts';
import { useTraceActs } from './useTraceActs.ts';

interface TextBlockProps {
  title: string;
  text: string;
}

function TextBlock({ title, text }: TextBlockProps) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold text-soft">{title}</h3>
      <pre className="mt-1 rounded-md border border-line p-2 font-sans break-words whitespace-pre-wrap">{text}</pre>
    </section>
  );
}

interface TraceBodyProps {
  trace: Trace;
  datasets: readonly DatasetChoice[];
  onClose: () => void;
}

function TraceBody({ trace, datasets, onClose }: TraceBodyProps) {
  const { data: whole } = useQuery(wholeTraceQuery(trace.id));
  const acts = useTraceActs();
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const [feedback, setFeedback] = useState(trace.feedback ?? '');
  const [dataset, setDataset] = useState(datasets[0]?.value ?? '');
  const current = whole ?? trace;
  const messages = whole?.messages ?? null;
  const isSaved = feedback.trim() === (trace.feedback ?? '');
  const save = () => acts.change(trace, { feedback: feedback.trim() === '' ? null : feedback.trim() });
  const state = toStateWords(current);
  return (
    <>
      <TextBlock title={messages ? 'Conversation' : 'Input'} text={messages ? toMessageText(messages) : trace.input} />
      <TextBlock title="Output" text={trace.output} />
      <ScoreButtons value={current.score} onChange={(score) => void acts.change(trace, { score })} />
      <div className="flex flex-wrap items-end gap-2">
        <TextArea
          label="Feedback: what a better answer would say"
          value={feedback}
          onChange={setFeedback}
          maxLength={TRACE_LIMITS.feedback}
          className="basis-60"
        />
        <ChangeButton disabledReason={isSaved ? 'Nothing was changed.' : null} onClick={() => void save()}>
          Save feedback
        </ChangeButton>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        {datasets.length > 1 && <Select label="Dataset" value={dataset} options={datasets} onChange={setDataset} />}
        <ChangeButton
          variant="primary"
          disabledReason={
            datasets.length === 0
              ? 'The project has no dataset. Import one first.'
              : current.score === null
                ? 'Give it a score first.'
                : current.processingStatus === 'processing'
                  ? 'A model corrects it now.'
                  : null
          }
          onClick={async () => {
            if (!isSaved && !(await save())) return;
            await acts.add(current, dataset === '' ? null : dataset);
          }}
        >
          Add to dataset
        </ChangeButton>
        {isLocal && (
          <ChangeButton variant="danger" onClick={async () => (await acts.remove(trace)) && onClose()}>
            Delete
          </ChangeButton>
        )}
        <output className="text-soft">{state}</output>
      </div>
      {current.reason !== null && <p className="text-warning">{current.reason}</p>}
    </>
  );
}

interface TraceDialogProps {
  trace: Trace;
  datasets: readonly DatasetChoice[];
  /** null: there is none. */
  onBefore: (() => void) | null;
  onAfter: (() => void) | null;
  onClose: () => void;
}

/** One trace: what was asked and answered, its score and feedback, and its way into a dataset. */
export function TraceDialog({ trace, datasets, onBefore, onAfter, onClose }: TraceDialogProps) {
  return (
    <Dialog title="Trace" isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
          <IconButton
            label="Trace before"
            icon={<ChevronLeft aria-hidden size={15} />}
            onClick={() => onBefore?.()}
            disabledReason={onBefore ? null : 'This is the first trace.'}
          />
          <IconButton
            label="Trace after"
            icon={<ChevronRight aria-hidden size={15} />}
            onClick={() => onAfter?.()}
            disabledReason={onAfter ? null : 'This is the last trace that has arrived.'}
          />
          <span aria-live="polite" className="min-w-0 break-words">
            {[trace.modelId, formatMoment(Date.parse(trace.createdAt)), `score ${toScoreText(trace.score)}`].join(
              ' · ',
            )}
          </span>
        </div>
        <TraceBody key={trace.id} trace={trace} datasets={datasets} onClose={onClose} />
      </div>
      <ToastRegion />
    </Dialog>
  );
}
