import { Check, CircleDashed, CircleHelp, Scissors, X } from 'lucide-react';
import { toVerdictLook, type Verdict } from './verdict.ts';

interface VerdictLineProps {
  /** What was checked: "Schema", "Arguments". */
  label: string;
  verdict: Verdict;
  /** A short note about the check. Its title explains more. */
  about?: { readonly text: string; readonly title: string } | null;
}

const ICONS = {
  open: CircleDashed,
  valid: Check,
  fenced: Check,
  invalid: X,
  'not-json': X,
  cut: Scissors,
  'no-check': CircleHelp,
} as const;
const TONES = {
  success: 'text-success bg-success-soft',
  error: 'text-error bg-error-soft',
  warning: 'text-warning bg-warning-soft',
  neutral: 'text-neutral bg-neutral-soft',
} as const;

/** A verdict as icon, word and colour. A list of violations unfolds. */
export function VerdictLine({ label, verdict, about = null }: VerdictLineProps) {
  const { tone, word, detail } = toVerdictLook(verdict);
  const Icon = ICONS[verdict.state];
  const line = (
    <>
      <span className="text-soft">{label}</span>
      <span
        className={
          'inline-flex h-[19px] shrink-0 items-center gap-1 rounded-full pr-2 pl-1.5 text-xs font-medium ' +
          `whitespace-nowrap ${TONES[tone]}`
        }
      >
        <Icon aria-hidden size={11} strokeWidth={2.4} className="shrink-0" />
        {word}
      </span>
      {about && (
        <span title={about.title} className="min-w-0 truncate text-faint">
          {about.text}
        </span>
      )}
    </>
  );
  if (verdict.state !== 'invalid') {
    return (
      <p className="flex min-h-7 flex-wrap items-center gap-x-1.5 py-1 text-sm">
        {line}
        {detail !== '' && <span className="min-w-0 text-soft [overflow-wrap:anywhere]">{detail}</span>}
      </p>
    );
  }
  return (
    <details className="group/verdict py-0.5 text-sm">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-x-1.5 rounded-md">
        {line}
        <span className="text-accent group-open/verdict:hidden">show</span>
        <span className="hidden text-accent group-open/verdict:inline">hide</span>
      </summary>
      <ul aria-label={`${label}: violations`} className="mt-1 mb-1 flex flex-col gap-1 border-l-2 border-error pl-2">
        {verdict.problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="[overflow-wrap:anywhere]">
            <code className="mr-1.5 rounded bg-neutral-soft px-1 font-mono text-xs">
              {path === '' ? '(whole)' : path}
            </code>
            {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
