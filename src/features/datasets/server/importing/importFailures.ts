// How an import ends without a dataset.
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import type { FileResult } from './fileRows.ts';

/** The file can't be kept. The message says why and what to do. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  constructor(
    readonly code: string,
    message: string,
    readonly badLines: Dataset['bad_lines'] | null,
  ) {
    super(message);
  }

  static ofBadLines({ badCount, badLines, rows, unit }: FileResult): ImportRefused {
    const [first] = badLines;
    const place = first ? ` Line ${first.line}, column ${first.column}: ${first.message}` : '';
    const todo =
      rows === 0
        ? `No ${unit} is a row. Check what the file is.`
        : `Correct the file, or send it with bad_lines=skip to import its ${rows.toLocaleString('en')} other rows.`;
    const count =
      badCount === 1
        ? `One ${unit} can't be read as a row`
        : `${badCount.toLocaleString('en')} ${unit}s can't be read as rows`;
    return new ImportRefused('bad_lines', `${count}.${place} ${todo} Nothing was imported.`, {
      count: badCount,
      first: badLines.slice(0, DATA_LIMITS.badLinesShown),
    });
  }
}

/** Somebody cancelled it. */
export class ImportCancelled extends Error {
  override readonly name = 'ImportCancelled';
  constructor() {
    super('The import was cancelled. Nothing of it was kept.');
  }
}

/** The service lost the import: another one that took it for dead has removed it. */
export class ImportLost extends Error {
  override readonly name = 'ImportLost';
  constructor() {
    super(
      'The studio lost contact with its database while the file arrived, so the import was ended. Nothing of it was kept. ' +
        'Upload the file again.',
    );
  }
}
