// The text that rows are imported from, and the format in which it is read.
import { useDeferredValue, useMemo, useState } from 'react';
import type { RowFormat } from '#features/evaluation/shared/promptRow.ts';
import { parseRows, type ReadRows } from '#features/evaluation/shared/promptRows.ts';
import { guessFormat } from '#features/evaluation/shared/rowFormat.ts';
import { readRowFile, type RowFile } from '#features/evaluation/web/grid/rowFile.ts';

export interface RowSource {
  /** null: the text is typed or pasted. */
  readonly file: RowFile | null;
  readonly typed: string;
  /** The chosen format; null: the guessed one. */
  readonly format: RowFormat | null;
  readonly guessed: RowFormat;
  readonly isBlank: boolean;
  readonly read: ReadRows;
  /** Why the last file could not be read; null: it could. */
  readonly problem: string | null;
  readonly openFile: (file: File | undefined) => void;
  readonly closeFile: () => void;
  readonly type: (text: string) => void;
  /** Puts a text of another format in the place of what is read. */
  readonly fill: (text: string) => void;
  readonly setFormat: (format: RowFormat | null) => void;
}

/** `dropped`: the file to start with. */
export function useRowSource(dropped: RowFile | null): RowSource {
  const [file, setFile] = useState(dropped);
  const [typed, setTyped] = useState('');
  const [format, setFormat] = useState<RowFormat | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const text = useDeferredValue(file?.text ?? typed);
  const guessed = useMemo(() => guessFormat(text), [text]);
  const read = useMemo(() => parseRows(text, format ?? guessed), [text, format, guessed]);
  const openFile = async (next: File): Promise<void> => {
    const result = await readRowFile(next);
    setProblem(result.ok ? null : result.message);
    if (result.ok) setFile(result.file);
  };
  return {
    file,
    typed,
    format,
    guessed,
    isBlank: text.trim() === '',
    read,
    problem,
    openFile: (next) => void (next && openFile(next)),
    closeFile: () => setFile(null),
    type: setTyped,
    fill: (next) => (setFile(null), setTyped(next), setFormat(null)),
    setFormat,
  };
}
