import type { JsonChange } from '#core/json/jsonChanges.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';

/** More fields are not listed. */
const SHOWN = 200;

function Value({ text, kind }: { text: string | null; kind: 'del' | 'ins' }) {
  if (text === null) return <span className="text-faint">none</span>;
  const Mark = kind;
  return <Mark className={`no-underline ${kind === 'del' ? 'text-error' : 'text-success'}`}>{text}</Mark>;
}

/** The fields in which two JSON answers differ. */
export function JsonChanges({ changes }: { changes: readonly JsonChange[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <SimpleTable caption="Fields that differ" heads={['Field', 'Before', 'After']} className="max-h-96 text-sm">
        {changes.slice(0, SHOWN).map(({ path, before, after }, row) => (
          <tr key={`${path} ${String(row)}`} className="align-top font-mono [overflow-wrap:anywhere]">
            <td className="py-0.5 pr-4">{path || '(all)'}</td>
            <td className="py-0.5 pr-4">
              <Value text={before} kind="del" />
            </td>
            <td className="py-0.5">
              <Value text={after} kind="ins" />
            </td>
          </tr>
        ))}
      </SimpleTable>
      {changes.length > SHOWN && <p className="text-sm text-soft">The first {SHOWN} are listed.</p>}
    </>
  );
}
