import { Wrench } from 'lucide-react';
import { Suspense, useMemo, type ReactNode } from 'react';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { toPrettyJson } from '#core/contract/jsonPlaces.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

const ArgumentsVerdict = toLazyPart(
  'The check of the arguments',
  async () => (await import('#features/playground/web/schemas/ArgumentsVerdict.tsx')).ArgumentsVerdict,
);

interface ToolCallViewProps {
  call: AnswerToolCall;
  /** If false, the arguments may be an incomplete JSON text. */
  isComplete: boolean;
  /** The typed text of the current tools. */
  tools: string;
  /** The form for the result. */
  children?: ReactNode;
}

const LONG = 600;

/** One tool call. Complete arguments are formatted; incomplete ones are shown as they arrived, without repair. */
export function ToolCallView({ call, isComplete, tools, children }: ToolCallViewProps) {
  const { id, name, arguments: args } = call;
  const shown = useMemo(() => (isComplete ? (toPrettyJson(args) ?? args) : args), [args, isComplete]);
  const scrolling =
    shown.length > LONG || shown.split('\n', 16).length === 16
      ? { ...SCROLLING, 'aria-label': `Arguments of ${name || id}` }
      : {};
  return (
    <li aria-label={name || id} className="overflow-hidden rounded-lg border border-line bg-raised">
      <div className="flex h-7 items-center gap-1.5 pl-2.5 text-sm">
        <Wrench aria-hidden size={12} className="shrink-0 text-faint" />
        <b className="max-w-[70%] shrink-0 truncate font-mono">{name || '…'}</b>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-faint" title={id}>
          {id}
        </span>
        {!isComplete && <span className="pr-2 text-xs text-soft">incomplete</span>}
        {isComplete && <CopyButton label="Copy arguments" text={args} />}
      </div>
      <pre
        {...scrolling}
        className={
          'max-h-72 overflow-y-auto border-t border-line px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere] ' +
          'whitespace-pre-wrap'
        }
      >
        {shown}
      </pre>
      {isComplete && (
        <div className="border-t border-line px-2.5">
          <PlainOnError text="The check could not be loaded. Reload the page to try again.">
            <Suspense fallback={<p className="min-h-7" />}>
              <ArgumentsVerdict call={call} tools={tools} />
            </Suspense>
          </PlainOnError>
        </div>
      )}
      {children}
    </li>
  );
}
