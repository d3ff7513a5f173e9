import { TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { dismissNotice, dismissProblem, setColumns, setPrompt } from './gridActions.ts';
import type { GridColumn } from '#features/evaluation/web/grid/gridBook.ts';
import { findEarlierPrompts, findMissingVariables } from '#features/evaluation/web/grid/gridSetup.ts';
import { readBook, useGrid } from './gridStore.ts';
import { toEarlierText, toRowsText } from '#features/evaluation/web/grid/gridWords.ts';
import { findSetupTyped, toTypedText } from '#features/evaluation/web/grid/typedVariables.ts';

interface GridNoticesProps {
  /** The panes' columns, if they differ from the grid's; null if not. */
  otherColumns: readonly GridColumn[] | null;
  /** Why some panes have no column. */
  columnProblems: readonly string[];
}

/** Shows only the earlier prompts with the most answers. */
const MAX_EARLIER = 3;

interface NoticeProps {
  children: ReactNode;
  action?: ReactNode;
}

function Notice({ children, action }: NoticeProps) {
  return (
    <div className="flex items-center gap-2 border-t border-line bg-warning-soft px-3 py-1 text-sm text-warning">
      <TriangleAlert aria-hidden size={14} className="shrink-0" />
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  );
}

/** Notices that matter before or after a run. */
export function GridNotices({ otherColumns, columnProblems }: GridNoticesProps) {
  const setup = useGrid((state) => state.setup);
  const problem = useGrid((state) => state.problem);
  const { notice, phase } = useGrid((state) => state.run);
  useGrid((state) => state.pulse);
  const missing = findMissingVariables(setup);
  const typed = findSetupTyped(setup);
  const typedText = toTypedText(typed);
  const { template } = typed;
  const earlier = findEarlierPrompts(readBook()).slice(0, MAX_EARLIER);
  const pauseFirst = phase === 'idle' ? null : 'Pause the run first.';
  const dismiss = (onClick: () => void) => (
    <IconButton label="Dismiss" icon={<X aria-hidden size={13} />} onClick={onClick} />
  );
  return (
    <output>
      {notice !== null && (
        <Notice action={dismiss(dismissNotice)}>
          The run is paused: {notice} Progress is saved. Click Resume to continue.
        </Notice>
      )}
      {problem !== null && <Notice action={dismiss(dismissProblem)}>{problem}</Notice>}
      {earlier.map(([prompt, answers]) => (
        <Notice
          key={prompt}
          action={
            <Button size="small" onClick={() => setPrompt(prompt)} disabledReason={pauseFirst}>
              Use the earlier prompt
            </Button>
          }
        >
          {toEarlierText(prompt, answers)}
        </Notice>
      ))}
      {missing.map(({ name, rows, first }) => (
        <Notice key={name}>
          {`{{${name}}}`} has no value in {toRowsText(rows)} (first: row {first}), so {rows === 1 ? 'it' : 'they'} can’t
          be sent. Change the prompt, import rows that have this column, or give it a value in the chat.
        </Notice>
      ))}
      {typedText !== null && (
        <Notice
          action={
            template === null ? undefined : (
              <Button size="small" onClick={() => setPrompt(template)} disabledReason={pauseFirst}>
                Use this text as the prompt
              </Button>
            )
          }
        >
          {typedText}
        </Notice>
      )}
      {columnProblems.map((text) => (
        <Notice key={text}>Left out: {text}</Notice>
      ))}
      {otherColumns !== null && (
        <Notice
          action={
            <Button size="small" onClick={() => setColumns(otherColumns)} disabledReason={pauseFirst}>
              Use current panes
            </Button>
          }
        >
          You changed the panes after these answers were generated. Answers to unchanged requests stay.
        </Notice>
      )}
    </output>
  );
}
