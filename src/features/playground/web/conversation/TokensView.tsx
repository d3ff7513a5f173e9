import { memo, useEffect, useId, useMemo, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { TokenLogprob } from '#core/stream/events.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { recordIdOf, type Answer } from '#features/playground/web/desk/desk.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
import { loadExchange } from '#features/playground/web/storage/exchangeSaver.ts';
import { toAnswerTokens, toPercent, toPerplexity, toTokenText } from './answerTokens.ts';

interface TokenSpanProps {
  id: string;
  place: number;
  token: TokenLogprob;
  isChosen: boolean;
}

/** The less likely, the stronger its ground. */
const TokenSpan = memo(function TokenSpan({ id, place, token, isChosen }: TokenSpanProps) {
  const doubt = Math.round((1 - Math.exp(token.logprob)) * 35);
  const option = { role: 'option', id, 'data-place': place, 'aria-selected': isChosen };
  return (
    <span
      {...option}
      aria-label={`${toTokenText(token.token)}, ${toPercent(token.logprob)}`}
      style={{ backgroundColor: `color-mix(in srgb, var(--warning) ${doubt}%, transparent)` }}
      className="rounded-xs aria-selected:outline-2 aria-selected:outline-accent"
    >
      {token.token.endsWith('\n') ? `⏎${token.token}` : token.token}
    </span>
  );
});

const STEPS: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place) => place + 1,
  ArrowDown: (place) => place + 1,
  ArrowLeft: (place) => place - 1,
  ArrowUp: (place) => place - 1,
  Home: () => 0,
  End: (_, last) => last,
};

function Alternatives({ token }: { token: TokenLogprob }) {
  const isNamed = token.top_logprobs.some((other) => other.token === token.token);
  const rows = isNamed ? token.top_logprobs : [...token.top_logprobs, token];
  return (
    <SimpleTable caption="The likeliest tokens in this place" heads={['Token', 'Probability']} className="max-h-48">
      {rows.map((other) => (
        <tr key={`${other.token} ${other.logprob}`} className={other.token === token.token ? 'font-semibold' : ''}>
          <td className="pr-4 font-mono [overflow-wrap:anywhere]">
            {toTokenText(other.token)}
            {other.token === token.token && <span className="sr-only">, taken</span>}
          </td>
          <td className="tabular-nums">{toPercent(other.logprob)}</td>
        </tr>
      ))}
    </SimpleTable>
  );
}

function TokenList({ tokens }: { tokens: readonly TokenLogprob[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const token = tokens[chosen];
  const spans = useMemo(() => tokens.map((each, place) => ({ place, each })), [tokens]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(chosen, tokens.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    const place = Math.min(Math.max(next, 0), tokens.length - 1);
    setChosen(place);
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onPoint = ({ target }: MouseEvent) => {
    const place = target instanceof HTMLElement ? target.dataset['place'] : undefined;
    if (place !== undefined) setChosen(Number(place));
  };
  // A native list has no tokens in a line.
  const list = {
    role: 'listbox',
    tabIndex: 0,
    'aria-label': 'Tokens',
    'aria-orientation': 'horizontal' as const,
    'aria-activedescendant': `${id}-${chosen}`,
    onKeyDown,
    onMouseOver: onPoint,
    onMouseDown: onPoint,
  };
  return (
    <>
      <p className="text-soft tabular-nums">
        {formatCounted(tokens.length, 'token')} · perplexity {toPerplexity(tokens).toFixed(2)}
      </p>
      <div
        {...list}
        className="max-h-64 overflow-y-auto rounded-md border border-line bg-surface px-2 py-1 font-mono [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {spans.map(({ place, each }) => (
          <TokenSpan key={place} id={`${id}-${place}`} place={place} token={each} isChosen={place === chosen} />
        ))}
      </div>
      {token && <Alternatives token={token} />}
    </>
  );
}

interface ReadRecord {
  /** The phase of the answer when the record was read. */
  readonly phase: Answer['phase'];
  readonly exchange: Exchange | null;
}

/** The tokens of an answer and how likely each was, as far as they have come when it is opened, and all at the end. */
export function TokensView({ answer }: { answer: Answer }) {
  const [read, setRead] = useState<ReadRecord | null>(null);
  const recordId = recordIdOf(answer);
  const { phase } = answer;
  useEffect(() => {
    let isCurrent = true;
    void loadExchange(recordId).then((exchange) => isCurrent && setRead({ phase, exchange }));
    return () => {
      isCurrent = false;
    };
  }, [recordId, phase]);
  const tokens = useMemo(() => (read?.exchange ? toAnswerTokens(read.exchange) : []), [read]);
  if (read === null) return <Skeleton rows={3} />;
  if (tokens.length === 0)
    return <p className="text-soft">Its record is no longer there. Run the message again to see its tokens.</p>;
  return (
    <div className="flex flex-col gap-1.5">
      <TokenList key={tokens.length} tokens={tokens} />
      {phase === 'streaming' && <p className="text-soft">The rest comes with the end of the answer.</p>}
      {read.exchange?.cut && <p className="text-soft">The answer is long: its later tokens were not kept.</p>}
      <p className="text-faint">
        Probabilities as the server sent them. The built-in engine gives those it drew from, after temperature, top P
        and the like.
      </p>
    </div>
  );
}
