// What an import does not take as its file says it: counted by kind and reason, the first ones by name.
import { NAMED_CHANGES, type ImportChange } from '#features/project-files/shared/transfer.ts';
import { IMPORT_CHANGES, type ImportChangeKind } from '#features/project-files/shared/transfer.ts';

export interface Changes {
  note(kind: ImportChangeKind, reason: string, named: ImportChange['named'][number]): void;
  /** By kind. */
  list(): ImportChange[];
}

export function openChanges(): Changes {
  const found = new Map<string, ImportChange>();
  return {
    note(kind, reason, named) {
      const key = `${kind} ${reason}`;
      const change = found.get(key) ?? { kind, reason, count: 0, named: [] };
      change.count += 1;
      if (change.named.length < NAMED_CHANGES) change.named.push(named);
      found.set(key, change);
    },
    list: () => IMPORT_CHANGES.flatMap((kind) => [...found.values()].filter((change) => change.kind === kind)),
  };
}
