import { useState } from 'react';
import { writeClipboard } from '../ui/clipboard';
import { Dialog } from '../ui/Dialog';
import { Menu } from '../ui/Menu';
import { TextArea } from '../ui/TextArea';
import { showToast } from '../ui/toast';
import { EXPORT_FORMATS, type ExportFormat, type ExportInput } from './exportFormats';

interface CopyMenuProps {
  label: string;
  input: ExportInput;
}

/** Copies candidates in a chosen format; where the browser refuses, the text is shown to copy by hand. */
export function CopyMenu({ label, input }: CopyMenuProps) {
  const [refused, setRefused] = useState<{ readonly label: string; readonly text: string } | null>(null);
  const copy = async (format: ExportFormat) => {
    const text = format.toText(input);
    if (!(await writeClipboard(text))) {
      setRefused({ label: format.label, text });
      return;
    }
    const gap = format.findGap(input);
    showToast(`Copied as ${format.label}.${gap === null ? '' : ` ${gap}`}`, { tone: gap === null ? 'ok' : 'neutral' });
  };
  const disabledReason = input.candidates.length === 0 ? 'There is no candidate to copy.' : null;
  const items = EXPORT_FORMATS.map((format) => ({ label: format.label, disabledReason, onSelect: () => void copy(format) }));
  return (
    <>
      <Menu label={label} items={items} />
      <Dialog title={refused?.label ?? ''} isOpen={refused !== null} onClose={() => setRefused(null)}>
        <p className="mb-2 text-soft">The browser did not allow copying. Select the text and copy it with the keyboard.</p>
        <TextArea label="Text to copy" value={refused?.text ?? ''} onChange={() => undefined} rows={12} isLabelHidden />
      </Dialog>
    </>
  );
}
