import { formatCount, makeOnce } from '#ui/kit/format.ts';
import { ROLL_UP_WORDS, type RollUp } from '#features/projects/web/treeIndex/treeIndex.ts';

interface RollUpBarProps {
  rollUp: RollUp;
}

const PARTS = [
  ['succeeded', 'bg-success'],
  ['active', 'bg-running'],
  ['failed', 'bg-error'],
  ['other', 'bg-neutral'],
] as const satisfies readonly (readonly [keyof RollUp, string])[];

const compact = makeOnce(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));
/** A row has little room: "40K/96K". The tooltip has the full numbers. */
const toShort = (count: number) => (count < 10_000 ? formatCount(count) : compact().format(count));

/** A thin stacked bar and "2/3": the statuses of the runs below a node. */
export function RollUpBar({ rollUp }: RollUpBarProps) {
  const others = PARTS.flatMap(([name]) =>
    name !== 'succeeded' && rollUp[name] > 0 ? [`, ${formatCount(rollUp[name])} ${ROLL_UP_WORDS[name]}`] : [],
  ).join('');
  const text = `${formatCount(rollUp.succeeded)} of ${formatCount(rollUp.total)} runs ${ROLL_UP_WORDS.succeeded}${others}`;
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-sm text-faint" title={text}>
      <span aria-hidden className="keeps-color flex h-1 w-8 overflow-hidden rounded-full bg-neutral-soft">
        {PARTS.map(([name, fill]) => (
          <span key={name} className={fill} style={{ width: `${(100 * rollUp[name]) / rollUp.total}%` }} />
        ))}
      </span>
      <span aria-hidden className="min-w-7 text-right">
        {toShort(rollUp.succeeded)}/{toShort(rollUp.total)}
      </span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
