import { Download } from 'lucide-react';
import { useState } from 'react';
import { writeClipboard } from './clipboard';
import { Dialog } from './Dialog';
import { downloadText } from './download';
import { MenuTrigger } from './MenuTrigger';
import { TextArea } from './TextArea';
import { showToast } from './toast';
import { useLate } from './useLate';

interface Format<Input> {
  readonly label: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly toText: (input: Input) => string;
  /** What the receiver still has to do, as a sentence; null when nothing is left. */
  readonly findGap: (input: Input) => string | null;
  /** Why it can't be chosen now; null when it can. */
  readonly findProblem?: (input: Input) => string | null;
}

interface ExportMenuProps<Input> {
  /** Of the two buttons, such as "Copy as" and "Download as". */
  copyLabel: string;
  downloadLabel: string;
  /** Called when a format is chosen. */
  toInput: () => Input;
  /** Brings the formats when they are reached for; an `import()`. */
  load: () => Promise<readonly Format<Input>[]>;
  disabledReason?: string | null;
}

/** Copies or downloads something in a chosen format. Where the browser refuses to copy, the text is shown to copy by hand. */
export function ExportMenu<Input>({ copyLabel, downloadLabel, toInput, load, disabledReason = null }: ExportMenuProps<Input>) {
  const loadAll = async () => {
    const [body, formats] = await Promise.all([import('./MenuBody'), load()]);
    return { MenuBody: body.MenuBody, formats };
  };
  const toCopy = useLate(loadAll);
  const toDownload = useLate(loadAll);
  const [refused, setRefused] = useState<{ readonly label: string; readonly text: string } | null>(null);

  const tell = (done: string, format: Format<Input>) => {
    const gap = format.findGap(toInput());
    showToast(gap === null ? done : `${done} ${gap}`, { tone: gap === null ? 'ok' : 'neutral' });
  };
  const copy = async (format: Format<Input>) => {
    const text = format.toText(toInput());
    if (await writeClipboard(text)) tell(`Copied as ${format.label}.`, format);
    else setRefused({ label: format.label, text });
  };
  const download = (format: Format<Input>) => {
    downloadText(format.fileName, format.mediaType, format.toText(toInput()));
    tell(`Downloaded ${format.fileName}.`, format);
  };
  const icon = <Download aria-hidden size={14} />;
  const toItems = (formats: readonly Format<Input>[], use: (format: Format<Input>) => void) =>
    formats.map((format) => ({ label: format.label, disabledReason: disabledReason ?? format.findProblem?.(toInput()) ?? null, onSelect: () => use(format) }));
  return (
    <span className="inline-flex items-center">
      {toCopy.code ? (
        <toCopy.code.MenuBody isByKeyboard={toCopy.isByKeyboard} label={copyLabel} items={toItems(toCopy.code.formats, (format) => void copy(format))} />
      ) : (
        <MenuTrigger label={copyLabel} {...toCopy.trigger} />
      )}
      {toDownload.code ? (
        <toDownload.code.MenuBody isByKeyboard={toDownload.isByKeyboard} label={downloadLabel} icon={icon} items={toItems(toDownload.code.formats, download)} />
      ) : (
        <MenuTrigger label={downloadLabel} icon={icon} {...toDownload.trigger} />
      )}
      <Dialog title={refused?.label ?? ''} isOpen={refused !== null} onClose={() => setRefused(null)}>
        <p className="mb-2 text-soft">The browser did not allow copying. Select the text and copy it with the keyboard.</p>
        <TextArea label="Text to copy" value={refused?.text ?? ''} onChange={() => undefined} rows={12} isLabelHidden />
      </Dialog>
    </span>
  );
}
