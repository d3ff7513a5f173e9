import { useQuery } from '@tanstack/react-query';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import { statisticsQuery } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { chooseSeen, useSeenModel } from '#features/datasets/web/modelView/modelViewChoice.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Card } from '#ui/kit/Card.tsx';
import {
  findLengths,
  toBars,
  toCutTexts,
  toLengthsText,
  toMessagesText,
  toTopText,
  toWorkText,
  type CountedLengths,
  type LengthUnit,
} from './lengthBars.ts';

function Histogram({ lengths, unit }: { lengths: Statistics['characters']; unit: LengthUnit }) {
  const bars = toBars(lengths.bins, unit);
  const width = 100 / Math.max(1, bars.length);
  const rest = bars.find(({ isRest }) => isRest);
  return (
    <figure aria-label={`Lengths of rows: from ${formatCount(lengths.min)} to ${formatCounted(lengths.max, unit)}`}>
      <svg aria-hidden viewBox="0 0 100 40" preserveAspectRatio="none" className="h-14 w-full">
        {bars.map(({ from, share, label, isRest }, at) => (
          <rect
            key={from}
            x={at * width + width * 0.08}
            y={40 - share * 40}
            width={width * 0.84}
            height={share * 40}
            className={isRest ? 'fill-(--faint)' : 'fill-(--series-1)'}
          >
            <title>{label}</title>
          </rect>
        ))}
      </svg>
      <figcaption aria-hidden className="flex justify-between border-t border-line text-sm text-soft tabular-nums">
        <span>{formatCount(lengths.min)}</span>
        <span>{unit}s of a row</span>
        <span>{rest ? `over ${formatCount(rest.from)}` : formatCount(lengths.max)}</span>
      </figcaption>
    </figure>
  );
}

const NOTHING: CountedLengths = { unit: 'character', tokens: null, lengths: null };

const FACTS: readonly (readonly [string, 'roles' | 'messages' | 'tools' | 'languages' | 'tags'])[] = [
  ['Messages of each role', 'roles'],
  ['Messages in a row', 'messages'],
  ['Tools', 'tools'],
  ['Languages', 'languages'],
  ['Tags', 'tags'],
];

/** How long rows are, who speaks in them, which tools and languages they have. */
export function StatisticsCard({ of }: { of: RowsOf }) {
  const { model, models, context, isLoading } = useSeenModel();
  const { data, error, refetch } = useQuery({ ...statisticsQuery(of, { model, context }), enabled: !isLoading });
  const { unit, tokens, lengths } = data ? findLengths(data) : NOTHING;
  return (
    <Card
      title={`Length in ${unit}s`}
      note={data ? toWorkText(data, 'counting') : null}
      actions={
        model === null ? undefined : (
          <Select
            label="Base model"
            value={model}
            options={models.map((id) => ({ value: id, label: id }))}
            onChange={(id) => chooseSeen({ model: id })}
          />
        )
      }
    >
      <div className="p-3">
        {error ? (
          <ErrorNotice title="No statistics" {...toErrorWords(error)} onRetry={() => void refetch()} />
        ) : data?.state === 'failed' ? (
          <ErrorNotice
            title="The lengths were not counted"
            detail={data.error ?? 'The studio did not say why.'}
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <Skeleton rows={3} />
        ) : !lengths ? (
          <p className="text-soft">{data.state === 'running' ? 'The rows are being counted.' : 'There are no rows.'}</p>
        ) : (
          <>
            <Histogram lengths={lengths} unit={unit} />
            <p className="mt-1 text-soft">{toLengthsText({ unit, tokens, lengths }, data.rows)}</p>
            {tokens && <p>{toCutTexts(tokens, data.rows).join(' ')}</p>}
            {data.tokens?.error && <p className="text-warning">Tokens were not counted. {data.tokens.error}</p>}
            <MoreFigures title="Roles, tools, languages">
              <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 pt-1 text-sm">
                {FACTS.filter(([, name]) => data[name].length > 0).map(([label, name]) => (
                  <div key={name} className="contents">
                    <dt className="text-soft">{label}</dt>
                    <dd>{name === 'messages' ? toMessagesText(data[name]) : toTopText(data[name])}</dd>
                  </div>
                ))}
              </dl>
            </MoreFigures>
          </>
        )}
      </div>{' '}
    </Card>
  );
}
