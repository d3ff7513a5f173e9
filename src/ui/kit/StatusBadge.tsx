import { toStateMeaning, toStateWord } from '#core/contract/statuses.ts';
import { TONE_CLASSES, toStatusLook } from './statusLook.ts';

interface StatusBadgeProps {
  status: string;
  /** Why it has the status, whose word is shown in its place. */
  cause?: string | null | undefined;
  /** Why it waits, as a sentence. */
  reason?: string | null | undefined;
  /** Only the icon is drawn; the word stays for screen readers and as a tooltip. */
  isCompact?: boolean;
}

export function StatusBadge({ status, cause = null, reason = null, isCompact = false }: StatusBadgeProps) {
  const { tone, Icon, isMoving } = toStatusLook(status, cause);
  const word = toStateWord(status, cause);
  const name = word === status ? undefined : `In the API: ${status}.`;
  return (
    <span
      title={
        [reason ?? toStateMeaning(status, cause) ?? (isCompact ? `${word}.` : undefined), name]
          .filter(Boolean)
          .join(' ') || undefined
      }
      className={
        'inline-flex h-[19px] max-w-36 shrink-0 items-center gap-1 rounded-full text-xs font-medium ' +
        `whitespace-nowrap ${TONE_CLASSES[tone]} ${isCompact ? 'w-[19px] justify-center' : 'pr-2 pl-1.5'}`
      }
    >
      <Icon aria-hidden size={11} strokeWidth={2.4} className={`shrink-0 ${isMoving ? 'animate-turn' : ''}`} />
      <span className={isCompact ? 'sr-only' : 'truncate'}>{word}</span>
    </span>
  );
}
