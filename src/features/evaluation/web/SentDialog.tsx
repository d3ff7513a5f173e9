import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import type { GridColumn } from '#features/evaluation/web/grid/gridBook.ts';
import { systemOf, toSentJson } from '#features/evaluation/web/grid/sentSettings.ts';

interface SentDialogProps {
  column: GridColumn;
  onClose: () => void;
}

const LABEL = 'text-sm font-semibold text-soft';
const TEXT = 'rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap';

/** Everything that a column sends besides the prompts, which is what its pass rate measures. */
export function SentDialog({ column: { name, label, request, sampling }, onClose }: SentDialogProps) {
  const system = systemOf(request);
  const json = toSentJson(request);
  return (
    <Dialog isOpen onClose={onClose} title={`Sent by ${name ?? label}`}>
      <div className="flex flex-col gap-3">
        <p className="text-soft">
          {sampling === 'neutral'
            ? 'Every row is sent at temperature 0, with its own system message and tools. Nothing that is set in the chat is ' +
              'sent.'
            : 'Every row is sent with these settings. They come from the pane in the chat. A row with its own system ' +
              'message or tools sends those instead.'}
        </p>
        {name !== undefined && (
          <p className="text-soft">
            Exports call this column <span className="font-mono text-sm text-ink">{label}</span>.
          </p>
        )}
        <section aria-label="System prompt" className="flex flex-col gap-1.5">
          <h3 className={LABEL}>System prompt</h3>
          {system.trim() === '' ? <p className="text-faint">none</p> : <div className={TEXT}>{system}</div>}
        </section>
        <section aria-label="Request without messages" className="flex flex-col gap-1.5">
          <div className="flex items-center gap-2">
            <h3 className={LABEL}>Model, parameters and tools</h3>
            <CopyButton text={json} label="Copy JSON" />
          </div>
          <pre className={`${TEXT} font-mono text-sm`}>{json}</pre>
        </section>
      </div>
    </Dialog>
  );
}
