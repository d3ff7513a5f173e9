// Makes a dataset of rows that a run of an evaluation gives: what people preferred and corrected, and what passed and failed.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { PreferencesForm } from '#features/evaluation/shared/contract/evaluationExport.ts';
import type { JudgementForm } from '#features/evaluation/shared/contract/judgements.ts';
import { refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { uploadDataset } from '#features/datasets/web/api/upload.ts';
import { makeUuid } from '#features/datasets/web/importing/makeUuid.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { requestText } from '#ui/client/request.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toHeldOutWarning } from './recordWords.ts';

interface RowsKind {
  readonly label: string;
  /** Of a run. */
  readonly path: string;
  readonly fileName: string;
  /** Why there are no rows. */
  readonly none: string;
}

const NOBODY = 'Nobody has preferred, corrected or passed an answer yet, so there are no rows.';
const ALIKE = 'No row has answers that passed and others that failed, so there are no pairs.';

/** Rows that a run gives. */
export const ROWS_KINDS = {
  pairs: { label: 'Preferences', path: 'judgement-rows?form=pairs', fileName: 'pairs.jsonl', none: NOBODY },
  chats: { label: 'Chats', path: 'judgement-rows?form=chats', fileName: 'chats.jsonl', none: NOBODY },
  dpo: { label: 'Pairs for DPO', path: 'preferences?form=dpo', fileName: 'dpo.jsonl', none: ALIKE },
  kto: {
    label: 'Labels for KTO',
    path: 'preferences?form=kto',
    fileName: 'kto.jsonl',
    none: 'No answer has passed or failed yet, so there are no rows.',
  },
} as const satisfies Readonly<Record<JudgementForm | PreferencesForm, RowsKind>>;

export const toRowsPath = (runId: string, { path }: RowsKind): string =>
  `/api/v1/studio/evaluation-runs/${runId}/${path}`;

async function makeDataset(projectId: string, runId: string, kind: RowsKind, name: string): Promise<string> {
  const { text } = await requestText(toRowsPath(runId, kind), {});
  if (text === '') throw new Error(kind.none);
  const made = await uploadDataset(
    {
      file: new Blob([text]),
      fileName: kind.fileName,
      name: name.slice(0, 200),
      projectId,
      datasetId: makeUuid(),
      mapping: null,
      form: null,
      isSkippingBadLines: false,
    },
    { onProgress: () => undefined, signal: new AbortController().signal },
  );
  if (made.kind === 'bad-lines') throw new Error(made.message);
  return made.id;
}

export interface HeldOutQuestion {
  readonly warning: string;
  readonly onMake: () => void;
  readonly onClose: () => void;
}

/** `question`: to be shown, of held-out rows that would be trained; null: nothing is asked. */
export function useRowsDataset(evaluation: Evaluation, runId: string) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<keyof typeof ROWS_KINDS | null>(null);
  const warning = toHeldOutWarning(evaluation);
  /** Says what was made, or why nothing was. */
  async function make(form: keyof typeof ROWS_KINDS): Promise<void> {
    const kind = ROWS_KINDS[form];
    const name = `${kind.label} of ${evaluation.name}`;
    try {
      const id = await makeDataset(evaluation.project_id, runId, kind, name);
      await refreshTrees(client);
      showToast(`${name} is a dataset of this project.`, {
        action: { label: 'Show it', onSelect: () => updateUrl({ node: id }) },
        kind: 'judgement',
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      showToast(`The dataset was not made. ${reason}`, { tone: 'error', kind: 'judgement' });
    }
  }
  const onClose = () => setAsked(null);
  const question: HeldOutQuestion | null =
    asked === null || warning === null
      ? null
      : {
          warning,
          onClose,
          onMake: () => {
            onClose();
            void make(asked);
          },
        };
  return { onMake: (form: keyof typeof ROWS_KINDS) => (warning === null ? void make(form) : setAsked(form)), question };
}
