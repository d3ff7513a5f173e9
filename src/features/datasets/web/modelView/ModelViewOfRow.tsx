import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { MAX_CONTEXT, type RowView } from '#features/datasets/shared/contract/rowView.ts';
import { rowViewQuery } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { toKeyed } from '#features/datasets/web/row/rowText.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { chooseSeen, useSeenModel } from './modelViewChoice.ts';
import { toPieces, toSeenProblems, toSeenText, type ShownPiece } from './modelViewText.ts';

const TRAINED = 'bg-accent-soft text-ink underline decoration-accent decoration-1 underline-offset-4';
/** Keys scroll it. */
const SCROLLS = { tabIndex: 0 } as const;
const CUT = 'text-soft line-through';

function Piece({ piece, isByToken }: { piece: ShownPiece; isByToken: boolean }) {
  const { text, isTrained, isCut } = piece;
  const look = `${isTrained ? TRAINED : ''} ${isCut ? CUT : ''} ${isByToken ? 'border-r border-faint' : ''}`;
  if (isTrained) return <mark className={look}>{text}</mark>;
  return isCut ? <del className={look}>{text}</del> : <span className={look}>{text}</span>;
}

function SeenText({ view, isByToken }: { view: RowView; isByToken: boolean }) {
  return (
    <section
      aria-label={`The row as ${view.model} sees it`}
      {...SCROLLS}
      className="max-h-[55vh] overflow-auto rounded-lg border border-line bg-canvas p-3 font-mono text-sm leading-6 whitespace-pre-wrap"
    >
      {toKeyed(toPieces(view, isByToken)).map(({ key, value }) => (
        <Piece key={key} piece={value} isByToken={isByToken} />
      ))}
      {view.left_out > 0 && (
        <p className="mt-2 font-sans text-soft">
          {formatCounted(view.left_out, 'more character')} at the end. All of them are counted.
        </p>
      )}
    </section>
  );
}

function Legend({ hasCut }: { hasCut: boolean }) {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-soft">
      <span>
        <mark className={`px-1 ${TRAINED}`}>coloured</mark> the model learns to write it
      </span>
      <span>plain: the model only reads it</span>
      {hasCut && (
        <span>
          <del className={CUT}>struck out</del> beyond the context: cut off
        </span>
      )}
    </p>
  );
}

interface SeenRowProps {
  of: RowsOf;
  position: number;
}

/** A row by the chat template and the tokens of a base model: what is trained, what a context cuts. */
export function ModelViewOfRow({ of, position }: SeenRowProps) {
  const { model, context, models, isLoading } = useSeenModel();
  const [isByToken, setByToken] = useState(false);
  const { data, error, refetch } = useQuery({
    ...rowViewQuery(of, position, model ?? '', context),
    enabled: model !== null,
  });
  if (model === null)
    return isLoading ? (
      <Skeleton rows={6} />
    ) : (
      <p className="text-soft">
        This studio has no model as a file, so it knows no chat template and no tokens. Start it with --model
        ID=FILE.gguf.
      </p>
    );
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Base model"
          value={model}
          options={models.map((id) => ({ value: id, label: id }))}
          onChange={(id) => chooseSeen({ model: id })}
        />
        <div className="w-36">
          <NumberField
            label="Context"
            value={context ?? undefined}
            onChange={(tokens) => chooseSeen({ context: tokens ?? null })}
            min={1}
            max={MAX_CONTEXT}
            isInteger
            placeholder={data?.model_context == null ? 'not known' : formatCount(data.model_context)}
          />
        </div>
        <Toggle label="Show tokens" value={isByToken} onChange={setByToken} />
      </div>
      {error ? (
        <ErrorNotice
          title="The row can’t be shown as the model sees it"
          {...toErrorWords(error)}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <>
          <p aria-live="polite">{toSeenText(data)}</p>
          {toSeenProblems(data).map((problem) => (
            <p key={problem} className="rounded-md bg-warning-soft px-2.5 py-1.5">
              {problem}
            </p>
          ))}
          {data.spans.length > 0 && (
            <>
              <Legend hasCut={data.cut > 0} />
              <SeenText view={data} isByToken={isByToken} />
            </>
          )}
        </>
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}
