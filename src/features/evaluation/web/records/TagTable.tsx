import { useState } from 'react';
import type { Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { VerdictCell } from './VerdictCell.tsx';
import { useModelNames } from './modelNames.ts';

interface TagTableProps {
  scores: Scores;
  onRows: (tag: string, value: string) => void;
}

/** Pass rates of the rows with each value of a tag. */
export function TagTable({ scores, onRows }: TagTableProps) {
  const nameOf = useModelNames();
  const tags = [...new Set(scores.models.flatMap(({ by_tag: own }) => own.map(({ tag }) => tag)))];
  const [chosen, setChosen] = useState(tags[0] ?? '');
  const tag = tags.includes(chosen) ? chosen : (tags[0] ?? '');
  const values = [
    ...new Set(
      scores.models.flatMap(({ by_tag: own }) => own.flatMap((each) => (each.tag === tag ? [each.value] : []))),
    ),
  ];
  if (tags.length === 0) return null;
  const find = (model: Scores['models'][number] | undefined, value: string) =>
    model?.by_tag.find((each) => each.tag === tag && each.value === value);
  return (
    <Card
      title="By tag"
      actions={
        <Select label="Tag" value={tag} options={tags.map((value) => ({ value, label: value }))} onChange={setChosen} />
      }
    >
      <SimpleTable
        caption={`Pass rates by ${tag}`}
        className="max-h-96 px-3 pb-2"
        heads={[tag, ...scores.models.map(({ model }) => nameOf(model))]}
      >
        {values.map((value) => (
          <tr key={value} className="align-top">
            <th scope="row" className="py-1.5 pr-4 font-normal">
              <button
                type="button"
                className="min-h-6 rounded text-left underline decoration-line-strong underline-offset-2"
                onClick={() => onRows(tag, value)}
              >
                {value}
              </button>
            </th>
            {scores.models.map((model) => (
              <td key={model.model} className="py-1.5 pr-4">
                <VerdictCell scored={find(model, value)} comparisons={scores.comparisons.tags} />
              </td>
            ))}
          </tr>
        ))}
      </SimpleTable>
    </Card>
  );
}
