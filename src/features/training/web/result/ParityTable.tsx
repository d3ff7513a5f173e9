import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { CircleCheck, CircleX } from 'lucide-react';
import type { ExportParity } from '#core/contract/exportParity.ts';
import { findRefusal } from '#features/training/shared/parityRefusal.ts';
import { toEqualText, toLostText, toParityLead, toRightText } from './parityWords.ts';

interface ParityTableProps {
  parity: ExportParity;
}

type FormatParity = ExportParity['formats'][number];

const HEADS = ['File', 'Equal answers', 'Right answers', 'Lost'] as const;

/** The first answer that is another one, before and after the export. */
function Difference({ format, first_difference: first }: FormatParity) {
  if (first === null) return null;
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer rounded text-soft">First difference of {format}</summary>
      <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-soft">Prompt</dt>
        <dd className="whitespace-pre-wrap">{first.prompt}</dd>
        <dt className="text-soft">Trainer</dt>
        <dd className="font-mono whitespace-pre-wrap">{first.before}</dd>
        <dt className="text-soft">File</dt>
        <dd className="font-mono whitespace-pre-wrap">{first.after}</dd>
      </dl>
      <p className="text-soft">They are equal up to character {first.at}; the texts begin shortly before.</p>
    </details>
  );
}

/** Whether the model's files answer as the training did: each file with what it lost. */
export function ParityTable({ parity }: ParityTableProps) {
  const refusal = findRefusal(parity);
  return (
    <section aria-label="Answers before and after the export" className="flex min-w-0 flex-col gap-1.5">
      <h4 className="font-semibold">Before and after the export</h4>
      <p className="text-soft">{toParityLead(parity)}</p>
      {refusal !== null && (
        <p className="flex gap-2 rounded-md bg-error-soft px-3 py-2">
          <CircleX aria-hidden size={15} className="mt-0.5 shrink-0 text-error" />
          <span className="min-w-0">
            {refusal} So it can’t be starred, and recommendations do not count it. Train it again, or serve another of
            its files.
          </span>
        </p>
      )}
      {parity.formats.length > 0 && (
        <SimpleTable heads={HEADS}>
          {parity.formats.map((format) => (
            <tr key={format.format} className="align-top">
              <th scope="row" className="py-1 pr-4 font-medium">
                <span className="flex items-center gap-1.5 whitespace-nowrap">
                  {format.is_refused ? (
                    <CircleX aria-hidden size={14} className="text-error" />
                  ) : (
                    <CircleCheck aria-hidden size={14} className="text-success" />
                  )}
                  {format.format}
                  {format.is_served && <span className="text-sm font-normal text-soft">served here</span>}
                </span>
              </th>
              <td className="py-1 pr-4 font-mono whitespace-nowrap">{toEqualText(format, parity)}</td>
              <td className="py-1 pr-4 font-mono whitespace-nowrap">{toRightText(format, parity)}</td>
              <td className="py-1 font-mono whitespace-nowrap">
                {toLostText(format)}
                {format.is_refused && <span className="text-error"> too much</span>}
              </td>
            </tr>
          ))}
        </SimpleTable>
      )}
      {parity.formats.map((format) => (
        <Difference key={format.format} {...format} />
      ))}
    </section>
  );
}
