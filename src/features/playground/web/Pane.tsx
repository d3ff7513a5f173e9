import { useQuery } from '@tanstack/react-query';
import { Suspense, type ComponentProps } from 'react';
import { examplesQuery, modelsQuery } from '#ui/client/queries.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { paneSettings } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { findDoubledTurn } from '#features/playground/web/desk/doubledTurns.ts';
import { EmptyPane } from './EmptyPane.tsx';
import { isUnlisted, type Checkpoint } from '#features/playground/web/desk/modelOptions.ts';
import { PaneHeader } from './PaneHeader.tsx';
import { SettingsOffer } from './SettingsOffer.tsx';
import { ParameterPanel } from '#features/playground/web/parameters/ParameterPanel.tsx';
import { Transcript } from '#features/playground/web/conversation/Transcript.tsx';
import { turnRow } from '#features/playground/web/conversation/turnRowCode.ts';

// Rarely needed.
const DoubledNotice = toLazyPart('The notice', async () => (await import('./DoubledNotice.tsx')).DoubledNotice);

const RemovedCheckpoint = toLazyPart(
  'The notice',
  async () => (await import('./RemovedCheckpoint.tsx')).RemovedCheckpoint,
);

type PaneProps = ComponentProps<typeof PaneHeader> & { findCheckpoint: (modelId: string) => Checkpoint | null };

export function Pane({ paneId, index, count, options, isFocused, onFocus, findCheckpoint }: PaneProps) {
  const model = usePane(paneId, (pane) => pane.model) ?? '';
  const { data: examples = null, isPending } = useQuery(examplesQuery(model));
  const listed = useQuery(modelsQuery()).data ?? null;
  // A model with examples is known, whatever its name.
  const isAbsent = isUnlisted(model, options, listed);
  const isUnknown = !isPending && examples === null && isAbsent;
  const removed = isAbsent ? findCheckpoint(model) : null;
  const isDoubled = usePane(
    paneId,
    (pane, desk) => (findDoubledTurn(pane, desk.draft.trim() !== '', desk.isAlone === true) ?? null) !== null,
  );
  const hasSchema = usePane(paneId, (pane, desk) => paneSettings(desk, pane).response_format === 'json_schema');
  const isModelless = listed?.length === 0 && options.length === 0;
  const name = options.find(({ value }) => value === model)?.short ?? model;
  return (
    <section
      aria-label={`Pane ${index + 1}`}
      data-pane
      tabIndex={-1}
      className={
        'flex min-h-0 min-w-[min(340px,100%)] flex-1 snap-start flex-col not-first:border-l not-first:border-line'
      }
    >
      <PaneHeader
        paneId={paneId}
        index={index}
        count={count}
        options={removed ? [...options, removed] : options}
        isFocused={isFocused}
        onFocus={onFocus}
      />
      {removed && (
        <Suspense fallback={null}>
          <RemovedCheckpoint key={model} paneId={paneId} checkpoint={removed} />
        </Suspense>
      )}
      <Suspense fallback={<Skeleton className="flex-1 p-4" rows={5} />}>
        <Transcript
          paneId={paneId}
          empty={
            <EmptyPane
              paneId={paneId}
              model={model}
              examples={examples}
              isUnlisted={isUnknown && removed === null}
              isModelless={isModelless}
            />
          }
          renderTurn={(turn, { isFirst, isLast }) => (
            <turnRow.View key={turn.id} turn={turn} paneId={paneId} isFirst={isFirst} isLast={isLast} />
          )}
        />
      </Suspense>
      {isDoubled && (
        <Suspense fallback={null}>
          <DoubledNotice paneId={paneId} />
        </Suspense>
      )}
      {(examples || hasSchema) && <SettingsOffer paneId={paneId} model={model} name={name} examples={examples} />}
      <ParameterPanel paneId={paneId} canLink={count > 1} />
    </section>
  );
}
