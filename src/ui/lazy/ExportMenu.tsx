import { Copy, Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { RateChoice } from '#core/contract/rateMeaning.ts';
import { Button } from '#ui/kit/Button.tsx';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { downloadFrom, downloadText } from '#ui/kit/download.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { keepFormat, useKeptFormat } from './keptFormat.ts';
import { toLazyPart } from './lazyPart.ts';
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
  const loadAll = async () => {
    const [body, formats] = await Promise.all([import('./MenuBody.tsx'), load()]);
    return { MenuBody: body.MenuBody, formats };
  };
  const toCopy = useLazyCode(loadAll);
  const toDownload = useLazyCode(loadAll);
  const [refused, setRefused] = useState<{ readonly label: string; readonly text: string } | null>(null);

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
  const icon = <Download aria-hidden size={14} />;
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
  const rateItem = rate && {
    label: toRateLabel(rate.choice),
    onSelect: () => setAsking({ goOn: null }),
    isApart: true,
  };
  const fileItems = files.map(({ label, path, fileName }, index) => ({
    label,
    onSelect: () => downloadFrom(path, fileName),
    isApart: index === 0,
  }));
  const toItems = (formats: readonly Format<Input>[], use: (format: Format<Input>) => void) => [
    ...formats.map((format) => ({
      label: format.label,
      disabledReason: disabledReason ?? format.findProblem?.(toInput()) ?? null,
      onSelect: () => choose(format, use),
    })),
    ...(rateItem ? [rateItem] : []),
  ];
  return (
    <span data-export className="inline-flex flex-wrap items-center gap-y-1">
      {kept !== null && (
        <Button
          size="small"
          className="mr-1"
          disabledReason={disabledReason}
          onClick={() =>
            void copyKept().catch(() =>
              showToast('Nothing was copied: the formats could not be loaded. Try again.', { tone: 'error' }),
            )
          }
        >
          <Copy aria-hidden size={12} />
          Copy as {kept}
        </Button>
      )}
      {toCopy.code ? (
        <toCopy.code.MenuBody
          isByKeyboard={toCopy.isByKeyboard}
          label={copyLabel}
          items={toItems(toCopy.code.formats, (format) => void copy(format))}
        />
      ) : (
        <MenuTrigger label={copyLabel} {...toCopy.trigger} />
      )}
      {toDownload.code ? (
        <toDownload.code.MenuBody
          isByKeyboard={toDownload.isByKeyboard}
          label={downloadLabel}
          icon={icon}
          items={[...toItems(toDownload.code.formats, download), ...fileItems]}
        />
      ) : (
        <MenuTrigger label={downloadLabel} icon={icon} {...toDownload.trigger} />
      )}
      {rate && (
        <Dialog
          title="What does the learning rate multiplier mean here?"
          isOpen={asking !== null}
          onClose={() => setAsking(null)}
        >
          <Suspense>
            <RateQuestion
              studio={rate.studio}
              isFactor={rate.isFactor}
              value={rate.choice}
              example={rate.example}
              onAnswer={(choice) => {
                rate.onChoose(choice);
                setAsking(null);
                asking?.goOn?.();
              }}
            />
          </Suspense>
        </Dialog>
      )}
      <Dialog title={refused?.label ?? ''} isOpen={refused !== null} onClose={() => setRefused(null)}>
        <p className="mb-2 text-soft">
          The browser did not allow copying. Select the text and copy it with the keyboard.
        </p>
        <TextArea label="Text to copy" value={refused?.text ?? ''} onChange={() => undefined} rows={12} isLabelHidden />
      </Dialog>
    </span>
  );
}
