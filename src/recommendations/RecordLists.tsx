import { useMemo } from 'react';
import { nodeLabel, type TreeNode } from '../contract/projectReader';
import type { ReadRecommendation } from '../contract/recommendationReader';
import { toChoices } from './candidates';
import { Card } from './Card';
import { CompareCard } from './CompareCard';
import { CopyMenu } from './CopyMenu';
import { EmptyRecord } from './EmptyRecord';
import { ExperimentTable } from './ExperimentTable';
import { ModelTable } from './ModelTable';
import { RateNote } from './RateNote';
import { isLikelyAbsoluteRate } from './rates';
import { useCompare } from './useCompare';

interface RecordListsProps {
  snapshot: TreeNode;
  record: ReadRecommendation;
  /** Ids of the models that the service can run now. */
  served: ReadonlySet<string>;
}

/** What the record offers: the compare on top, then base models, then experiments. */
export function RecordLists({ snapshot, record, served }: RecordListsProps) {
  const choices = useMemo(() => toChoices(record), [record]);
  const compare = useCompare(snapshot.id, choices);
  const { models, experiments, candidates } = choices;
  if (models.length === 0 && experiments.length === 0) return <EmptyRecord status={record.status} />;

  const exported = { snapshot_id: snapshot.id, name: `${nodeLabel(snapshot)}, next experiments` };
  const taken = experiments.filter((experiment) => experiment.recommended);
  return (
    <>
      {candidates.length > 0 && <CompareCard compare={compare} candidates={candidates} exported={exported} />}
      {candidates.some((candidate) => isLikelyAbsoluteRate(candidate.learning_rate_multiplier)) && <RateNote />}
      <Card title={`Base models ${models.length}`} note="recommended first">
        {models.length > 0 ? (
          <ModelTable models={models} compare={compare} served={served} />
        ) : (
          <p className="border-t border-line px-3 py-3 text-soft">The service named no base model.</p>
        )}
      </Card>
      <Card
        title={`Experiments ${experiments.length}`}
        note="ready to train"
        actions={
          experiments.length > 0 && (
            <>
              {taken.length > 0 && taken.length < experiments.length && (
                <CopyMenu label="Copy recommended as" input={{ ...exported, candidates: taken }} />
              )}
              <CopyMenu label="Copy all as" input={{ ...exported, candidates: experiments }} />
            </>
          )
        }
      >
        {experiments.length > 0 ? (
          <ExperimentTable experiments={experiments} compare={compare} />
        ) : (
          <p className="border-t border-line px-3 py-3 text-soft">The service proposed no experiment. Choose among the base models above.</p>
        )}
      </Card>
    </>
  );
}
