import { Wrench } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { FieldProblem } from '#ui/fields/FieldProblem.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { parseTools } from '#features/playground/web/desk/requestSettings.ts';
import { toToolCount } from '#features/playground/web/desk/settingLabels.ts';

const ToolsDialog = toLazyPart('The tools’ editor', async () => (await import('./ToolsDialog.tsx')).ToolsDialog);

interface ToolsFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The number of tools and the button for their editor. Below: the problem that keeps them from being sent. */
export function ToolsField({ value, onChange }: ToolsFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const tools = parseTools(value);
  const isEmpty = value.trim() === '';
  const names = tools.ok ? tools.value.map((tool) => tool.function.name).join(', ') : '';
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <span className="w-(--label-width) shrink-0 text-soft">Tools</span>
        <Button
          size="small"
          className="shrink-0"
          onClick={() => setOpen(true)}
          aria-label={isEmpty ? 'Add tools' : `Edit tools: ${toToolCount(value)}`}
          aria-describedby={`${id}-problem`}
        >
          <Wrench aria-hidden size={12} /> {isEmpty ? 'Add…' : tools.ok ? toToolCount(value) : 'Edit…'}
        </Button>
        <span className="min-w-0 truncate font-mono text-xs text-faint" title={names}>
          {names}
        </span>
      </div>
      <FieldProblem id={`${id}-problem`} message={tools.ok ? null : tools.reason} />
      {isOpen && (
        <Suspense>
          <ToolsDialog value={value} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
