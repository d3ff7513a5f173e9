import { ChevronDown, Copy, Download } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import type { RateChoice } from '#core/contract/rateMeaning.ts';
import { Button } from '#ui/kit/Button.tsx';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { downloadFrom, downloadText } from '#ui/kit/download.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { keepFormat, useKeptFormat } from './keptFormat.ts';
import { toLazyPart } from './lazyPart.ts';
import type { MenuItem } from './menuItem.ts';
import { MenuTrigger } from './MenuTrigger.tsx';
import { useLazyCode } from './useLazyCode.ts';

/** Label of the menu item that opens the question. */
function toRateLabel(choice: RateChoice | null): string {
  if (choice === null) return 'Set what the learning rate multiplier means…';
  const rate = choice.means === 'rate' ? 'the multiplier' : `${choice.base} × the multiplier`;
  return `Learning rate = ${rate}. Change…`;
}

// Asked at most once per studio.
const RateQuestion = toLazyPart('The question', async () => (await import('#ui/fields/RateQuestion.tsx')).RateQuestion);

interface Format<Input> {
  readonly label: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly toText: (input: Input) => string;
  /** What the receiver still has to do, as a sentence; null: nothing. */
  readonly findGap: (input: Input) => string | null;
  /** Why the format can't be chosen now; null: it can. */
  readonly findProblem?: (input: Input) => string | null;
  /** The format needs the meaning of the learning rate multiplier first. */
  readonly asks?: (input: Input) => boolean;
}

interface RateControl {
  /** The studio in question. */
  readonly studio: string;
  /** The studio says that the multiplier is a factor, so the menu asks only for the base rate. */
  readonly isFactor: boolean;
  readonly choice: RateChoice | null;
  /** The multiplier of the first candidate; null: it has none. */
  readonly example: number | null;
  readonly onChoose: (choice: RateChoice | null) => void;
}

interface FormatMenuProps<Input> {
  label: string;
  icon?: ReactNode;
  load: () => Promise<readonly Format<Input>[]>;
  toItems: (formats: readonly Format<Input>[]) => readonly MenuItem[];
}

/** A menu whose formats load when a person is about to open it. */
function FormatMenu<Input>({ label, icon, load, toItems }: FormatMenuProps<Input>) {
  const { code, isByKeyboard, trigger } = useLazyCode(async () => {
    const [body, formats] = await Promise.all([import('./MenuBody.tsx'), load()]);
    return { MenuBody: body.MenuBody, formats };
  });
  return code ? (
    <code.MenuBody {...{ label, icon, isByKeyboard }} items={toItems(code.formats)} />
  ) : (
    <MenuTrigger {...{ label, icon }} {...trigger} />
  );
}

interface RateDialogProps {
  rate: RateControl;
  isOpen: boolean;
  onClose: () => void;
  /** The answer is kept. */
  onAnswered: () => void;
}

function RateDialog({ rate, isOpen, onClose, onAnswered }: RateDialogProps) {
  return (
    <Dialog title="What does the learning rate multiplier mean here?" isOpen={isOpen} onClose={onClose}>
      <Suspense>
        <RateQuestion
          studio={rate.studio}
          isFactor={rate.isFactor}
          value={rate.choice}
          example={rate.example}
          onAnswer={(choice) => {
            rate.onChoose(choice);
            onAnswered();
          }}
        />
      </Suspense>
    </Dialog>
  );
}

interface RefusedCopy {
  readonly label: string;
  readonly text: string;
}

function RefusedCopyDialog({ refused, onClose }: { refused: RefusedCopy | null; onClose: () => void }) {
  return (
    <Dialog title={refused?.label ?? ''} isOpen={refused !== null} onClose={onClose}>
      <p className="mb-2 text-soft">
        The browser did not allow copying. Select the text and copy it with the keyboard.
      </p>
      <TextArea label="Text to copy" value={refused?.text ?? ''} onChange={() => undefined} rows={12} isLabelHidden />
    </Dialog>
  );
}

interface ServedFile {
  readonly label: string;
  /** The address on this service. */
  readonly path: string;
  readonly fileName: string;
}

const NO_FILES: readonly ServedFile[] = [];

interface ExportMenuProps<Input> {
  /** Labels of the two buttons, such as "Copy as" and "Download as". */
  copyLabel: string;
  downloadLabel: string;
  /** Called when a format is chosen. */
  toInput: () => Input;
  /** Loads the formats on demand; an `import()`. */
  load: () => Promise<readonly Format<Input>[]>;
  disabledReason?: string | null;
  /** Files that the service has: the last items of the download menu. */
  files?: readonly ServedFile[];
  /** Set if the service doesn't say what its multiplier means: formats that need it open the question first. */
  rate?: RateControl | null;
  /** Offers the format that was last used here as a button of its own. */
  isFormatKept?: boolean;
}

/** Copies or downloads something in a chosen format. If the browser refuses to copy, a dialog shows the text. */
export function ExportMenu<Input>({
  copyLabel,
  downloadLabel,
  toInput,
  load,
  disabledReason = null,
  files = NO_FILES,
  rate = null,
  isFormatKept = false,
}: ExportMenuProps<Input>) {
  const kept = useKeptFormat(({ label }) => (isFormatKept ? label : null));
  const [refused, setRefused] = useState<RefusedCopy | null>(null);
  const [asking, setAsking] = useState<{ readonly goOn: (() => void) | null } | null>(null);

  const tell = (done: string, format: Format<Input>) => {
    const gap = format.findGap(toInput());
    showToast(gap === null ? done : `${done} ${gap}`, { tone: gap === null ? 'success' : 'neutral' });
  };
  const copy = async (format: Format<Input>) => {
    if (isFormatKept) keepFormat(format.label);
    const text = format.toText(toInput());
    if (await writeClipboard(text)) tell(`Copied as ${format.label}.`, format);
    else setRefused({ label: format.label, text });
  };
  const download = (format: Format<Input>) => {
    downloadText(format.fileName, format.mediaType, format.toText(toInput()));
    tell(`Downloaded ${format.fileName}.`, format);
  };
  const choose = (format: Format<Input>, use: (format: Format<Input>) => void) => {
    if (rate && format.asks?.(toInput())) setAsking({ goOn: () => use(format) });
    else use(format);
  };
  const copyKept = async () => {
    const format = (await load()).find(({ label }) => label === kept);
    const problem = format
      ? (format.findProblem?.(toInput()) ?? null)
      : 'The studio no longer has this format. Choose another one.';
    if (!format || problem !== null) showToast(`Not copied as ${kept ?? ''}. ${problem ?? ''}`, { tone: 'error' });
    else choose(format, (chosen) => void copy(chosen));
  };
  const onCopyKept = () =>
    void copyKept().catch(() =>
      showToast('Nothing was copied: the formats could not be loaded. Try again.', { tone: 'error' }),
    );
  const rateItems = rate
    ? [{ label: toRateLabel(rate.choice), onSelect: () => setAsking({ goOn: null }), isApart: true }]
    : [];
  const fileItems = files.map(({ label, path, fileName }, index) => ({
    label,
    onSelect: () => downloadFrom(path, fileName),
    isApart: index === 0,
  }));
  const toItems = (formats: readonly Format<Input>[], use: (format: Format<Input>) => void): readonly MenuItem[] => [
    ...formats.map((format) => ({
      label: format.label,
      disabledReason: disabledReason ?? format.findProblem?.(toInput()) ?? null,
      onSelect: () => choose(format, use),
    })),
    ...rateItems,
  ];
  return (
    <span data-export className="inline-flex flex-wrap items-center gap-y-1">
      {kept !== null && (
        <Button size="small" disabledReason={disabledReason} onClick={onCopyKept}>
          <Copy aria-hidden size={12} />
          Copy as {kept}
        </Button>
      )}
      <FormatMenu
        label={copyLabel}
        {...(kept !== null && { icon: <ChevronDown aria-hidden size={14} /> })}
        load={load}
        toItems={(formats) => toItems(formats, (format) => void copy(format))}
      />
      <FormatMenu
        label={downloadLabel}
        icon={<Download aria-hidden size={14} />}
        load={load}
        toItems={(formats) => [...toItems(formats, download), ...fileItems]}
      />
      {rate && (
        <RateDialog
          rate={rate}
          isOpen={asking !== null}
          onClose={() => setAsking(null)}
          onAnswered={() => {
            setAsking(null);
            asking?.goOn?.();
          }}
        />
      )}
      <RefusedCopyDialog refused={refused} onClose={() => setRefused(null)} />
    </span>
  );
}
