import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ListChecks, MessagesSquare, Settings2, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { TraceEvaluationDialog } from './TraceEvaluationDialog.tsx';
import { TraceDialog } from './TraceDialog.tsx';
import {
  BAND_OPTIONS,
  isFiltered,
  NO_FILTER,
  parseFilter,
  SORT_OPTIONS,
  toFilterText,
  type DatasetChoice,
  type TraceFilter,
} from './traceFilter.ts';
import { traceCountsQuery, traceSettingsQuery, tracesQuery } from './traceQueries.ts';
import { TraceSettingsForm } from './TraceSettingsForm.tsx';
import { TraceTable } from './TraceTable.tsx';
import { useTraceActs } from './useTraceActs.ts';

/** A pause in typing. */
const TYPED_MS = 300;

interface ToolbarProps {
  value: TraceFilter;
  onChange: (filter: TraceFilter) => void;
  models: readonly string[];
  /** Whether the service can search, and filter by score: the hosted studio can not. */
  canSearch: boolean;
  countText: string;
  /** null: there are none to take. */
  onEvaluate: (() => void) | null;
  /** null: this project has none. */
  onSettings: (() => void) | null;
}

/** Search, filters, order, and what is found. */
function Toolbar({ value, onChange, models, canSearch, countText, onEvaluate, onSettings }: ToolbarProps) {
  const [typed, setTyped] = useState(value.search);
  const [known, setKnown] = useState(value.search);
  if (known !== value.search) {
    setKnown(value.search);
    if (value.search !== typed.trim()) setTyped(value.search);
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === value.search) return undefined;
    const timer = setTimeout(() => onChange({ ...value, search: next }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  const set = (name: keyof TraceFilter) => (text: string) => onChange({ ...value, [name]: text });
  const options = [{ value: '', label: 'any model' }, ...models.map((id) => ({ value: id, label: id }))];
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      {canSearch && (
        <>
          <TextField
            label="Search traces"
            isLabelHidden
            type="search"
            placeholder="Search input and output"
            value={typed}
            onChange={setTyped}
            maxLength={Math.min(TRACE_LIMITS.search, 150)}
            spellCheck={false}
            className="w-48 grow"
          />
          <Select label="Score" isLabelHidden value={value.band} options={BAND_OPTIONS} onChange={set('band')} />
        </>
      )}
      <Select label="Model" isLabelHidden value={value.model} options={options} onChange={set('model')} />
      <Select label="Order" isLabelHidden value={value.sort} options={SORT_OPTIONS} onChange={set('sort')} />
      <output className="min-w-0 text-soft">{countText}</output>
      {isFiltered(value) && (
        <Button size="small" onClick={() => onChange({ ...NO_FILTER, sort: value.sort })}>
          <X aria-hidden size={12} />
          Show all
        </Button>
      )}
      <span className="ml-auto flex gap-2">
        {onEvaluate && (
          <ChangeButton size="small" onClick={onEvaluate}>
            <ListChecks aria-hidden size={12} />
            Into an evaluation
          </ChangeButton>
        )}
        {onSettings && (
          <Button size="small" onClick={onSettings}>
            <Settings2 aria-hidden size={12} />
            Settings
          </Button>
        )}
      </span>
    </div>
  );
}

interface NoTraceProps {
  isFiltered: boolean;
  /** null: the service keeps no chats. */
  keepsChats: boolean | null;
  onShowAll: () => void;
}

function NoTrace({ isFiltered: isCut, keepsChats, onShowAll }: NoTraceProps) {
  if (isCut)
    return <EmptyState title="No trace is like that" action={<Button onClick={onShowAll}>Show all traces</Button>} />;
  return (
    <EmptyState icon={<MessagesSquare aria-hidden size={20} />} title="No traces yet">
      Programs add them with POST /api/v1/traces.{' '}
      {keepsChats === true && 'Answers of this project’s models in chats are kept from now on.'}
      {keepsChats === false &&
        'Answers of this project’s models in chats are kept too, if you switch it on in the settings.'}
    </EmptyState>
  );
}

/** The filter that the address names. */
function useFilter(): readonly [TraceFilter, (filter: TraceFilter) => void] {
  const { traces } = useUrlState();
  const set = useCallback((filter: TraceFilter) => updateUrl({ traces: toFilterText(filter) }, { replace: true }), []);
  return [parseFilter(traces), set];
}

const toDatasets = (project: TreeNode): DatasetChoice[] =>
  (project.children ?? [])
    .filter(({ type }) => type === 'dataset')
    .map((node) => ({ value: node.id, label: nodeLabel(node) }));

interface TracesPanelProps {
  project: TreeNode;
}

/** What models answered for the project, scored by hand and made into rows. */
export function TracesPanel({ project }: TracesPanelProps) {
  const [filter, setFilter] = useFilter();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    tracesQuery(project.id, filter),
  );
  const { data: counts } = useQuery(traceCountsQuery(project.id));
  const { data: settings } = useQuery(traceSettingsQuery(project.id));
  const [opened, setOpened] = useState<string | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [isEvaluating, setEvaluating] = useState(false);
  const readOnlyReason = useReadOnlyReason();
  const acts = useTraceActs();
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (data?.pages[0] === null)
    return (
      <EmptyState icon={<MessagesSquare aria-hidden size={20} />} title="The traces are elsewhere">
        This service keeps no traces. Look in the studio that has the project.
      </EmptyState>
    );
  const traces = data?.pages.flatMap((page) => page?.results ?? []) ?? [];
  const total = filter.search === '' ? (data?.pages[0]?.total ?? 0) : traces.length;
  const place = traces.findIndex(({ id }) => id === opened);
  const trace = traces[place];
  const go = (to: number): (() => void) | null => {
    const next = traces[to];
    return next ? () => setOpened(next.id) : null;
  };
  const isSearching = filter.search !== '' && (isFetchingNextPage || hasNextPage);
  const countText = `${isSearching ? `${formatCount(total)} found so far` : formatCounted(total, 'trace')}`;
  return (
    <section
      aria-label="Traces"
      className="flex min-h-96 min-w-0 flex-1 flex-col overflow-hidden rounded-[10px] border border-line bg-surface"
    >
      <Toolbar
        value={filter}
        onChange={setFilter}
        models={counts?.models.map(({ modelId }) => modelId) ?? [...new Set(traces.map(({ modelId }) => modelId))]}
        canSearch={!data || data.pages[0]?.next !== undefined}
        countText={data ? countText : ''}
        onEvaluate={settings && traces.length > 0 ? () => setEvaluating(true) : null}
        onSettings={settings ? () => setChoosing(true) : null}
      />
      {settings?.keeps_chats === true && (
        <p className="border-b border-line px-3 py-1.5 text-sm text-soft">
          Answers of this project’s models in chats are kept here
          {settings.keep_days !== null && `, for ${formatCounted(settings.keep_days, 'day')}`}.
          {settings.left_out > 0 &&
            ` ${formatCounted(settings.left_out, 'chat')} so far ${settings.left_out === 1 ? 'was' : 'were'} too large to be kept: ` +
              `a question, an answer or a conversation has at most ${formatCount(TRACE_LIMITS.text)} characters.`}
        </p>
      )}
      {error && (
        <div className="p-3">
          <ErrorNotice title="The traces can’t be read" {...toErrorWords(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {isPending ? (
        <Skeleton rows={8} className="p-4" />
      ) : traces.length > 0 ? (
        <>
          <TraceTable
            key={JSON.stringify(filter)}
            traces={traces}
            onOpen={(at) => setOpened(traces[at]?.id ?? null)}
            onScore={readOnlyReason === null ? (each, score) => void acts.change(each, { score }) : null}
            onEnd={onEnd}
          />
          <p className="border-t border-line px-3 py-1.5 text-sm text-soft">
            Keys in the table: 1 to 5 score, 0 takes the score away, j and k move, Enter opens.
          </p>
        </>
      ) : isSearching ? (
        <SearchOn onMore={onEnd} />
      ) : (
        !error && (
          <NoTrace
            isFiltered={isFiltered(filter)}
            keepsChats={settings ? settings.keeps_chats : null}
            onShowAll={() => setFilter(NO_FILTER)}
          />
        )
      )}
      {trace && (
        <TraceDialog
          trace={trace}
          datasets={toDatasets(project)}
          onBefore={go(place - 1)}
          onAfter={go(place + 1)}
          onClose={() => setOpened(null)}
        />
      )}
      {isEvaluating && (
        <TraceEvaluationDialog projectId={project.id} filter={filter} onClose={() => setEvaluating(false)} />
      )}
      {isChoosing && settings && (
        <TraceSettingsForm projectId={project.id} value={settings} onClose={() => setChoosing(false)} />
      )}
    </section>
  );
}

interface SearchOnProps {
  onMore: () => void;
}

/** A search that has found nothing in the newest traces goes on to the older ones. */
function SearchOn({ onMore }: SearchOnProps) {
  useEffect(onMore, [onMore]);
  return <EmptyState title="Searching…" />;
}
