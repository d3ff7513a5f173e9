import { useQuery } from '@tanstack/react-query';
import { FileUp, ListChecks, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { openCheckpoints, toModelOptions, toTunedModels } from '#features/playground/web/desk/modelOptions.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { modelsQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { EvaluationList } from './EvaluationList.tsx';
import { EvaluationView } from './EvaluationView.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { NewEvaluationDialog } from './NewEvaluationDialog.tsx';
import { evaluationsQuery } from './recordQueries.ts';
import { ModelChoices } from './modelNames.ts';

interface EvaluationsPanelProps {
  project: TreeNode;
}

/** All evaluations of a project, or the one that the address names. */
export function EvaluationsPanel({ project }: EvaluationsPanelProps) {
  const { evaluation: openedId } = useUrlState();
  const [isNew, setNew] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const { data: evaluations, error, refetch } = useQuery(evaluationsQuery(project.id));
  const opened = evaluations?.find(({ id }) => id === openedId);
  const { data: listed } = useQuery(modelsQuery());
  const { data: roots } = useQuery(knownRootsQuery());
  const choices = useMemo(
    () => toModelOptions(toTunedModels(project), listed ?? [], openCheckpoints(project)),
    [project, listed],
  );
  const add = (
    <span className="flex flex-wrap justify-center gap-2">
      <ChangeButton onClick={() => setImporting(true)}>
        <FileUp aria-hidden size={13} /> Import
      </ChangeButton>
      <ChangeButton variant="primary" onClick={() => setNew(true)}>
        <Plus aria-hidden size={13} /> New evaluation
      </ChangeButton>
    </span>
  );
  if (error && evaluations === undefined)
    return <ErrorNotice title="The evaluations can’t be read" detail={error.message} onRetry={() => void refetch()} />;
  if (evaluations === undefined) return <Skeleton rows={6} />;
  if (evaluations === null)
    return (
      <EmptyState icon={<ListChecks aria-hidden size={28} />} title="This studio keeps no evaluations">
        Only a local studio does. Grids of prompts, beside the chat, work with every studio and stay in this browser.
      </EmptyState>
    );
  if (roots?.some(({ id }) => id === project.id) === true)
    return (
      <EmptyState icon={<ListChecks aria-hidden size={28} />} title="Evaluations are kept in other projects">
        This one is a folder of runs, which is only read. Evaluations of another project can ask the models of this one,
        and Import there finds the evaluation files that lie in folders of runs.
      </EmptyState>
    );
  return (
    <ModelChoices value={choices}>
      {openedId !== null && !opened ? (
        <EmptyState
          title="This evaluation is not in the project"
          action={<Button onClick={() => updateUrl({ evaluation: null, run: null })}>Show all evaluations</Button>}
        >
          It may have been deleted, or the link belongs to another project.
        </EmptyState>
      ) : opened ? (
        <EvaluationView key={opened.id} evaluation={opened} />
      ) : evaluations.length === 0 ? (
        <EmptyState icon={<ListChecks aria-hidden size={28} />} title="Know that a new model is better" action={add}>
          An evaluation keeps rows, checks and settings. Its runs ask models for answers, and say with intervals and
          paired tests which model is better, for the whole team.
        </EmptyState>
      ) : (
        <Card title="Evaluations" actions={add}>
          <EvaluationList evaluations={evaluations} />
        </Card>
      )}
      {isImporting && <ImportDialog projectId={project.id} onClose={() => setImporting(false)} />}
      <NewEvaluationDialog project={project} isOpen={isNew} onClose={() => setNew(false)} />
    </ModelChoices>
  );
}
