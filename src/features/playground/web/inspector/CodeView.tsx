import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sessionQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { downloadText } from '#ui/kit/download.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Tabs } from '#ui/kit/Tabs.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { toNextRequest } from '#features/playground/web/desk/paneRequest.ts';
import { CODE_LANGUAGES, findCodeLanguage, TOKEN_VARIABLE, toRequestCode, type CodeLanguage } from './requestCode.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface CodeViewProps {
  paneId: string | null;
}

/** Shows the request of a pane as code that sends exactly this request. */
export function CodeView({ paneId }: CodeViewProps) {
  const [language, setLanguage] = useState<CodeLanguage>(CODE_LANGUAGES[0]);
  const mode = useQuery(sessionQuery()).data?.mode ?? null;
  const desk = useDesk((state) => state.desk);
  const pane = desk.panes.find(({ id }) => id === paneId) ?? desk.panes[0];
  const next = useMemo(() => pane && toNextRequest(desk, pane, mode), [desk, pane, mode]);
  if (!pane || !next) return <p>The pane was closed.</p>;
  if (!next.ok)
    return (
      <ErrorNotice title="There is no request to show" detail={next.problem} hint="The code changes with the pane." />
    );
  const code = toRequestCode(language.id, { request: next.request, origin: window.location.origin });
  const { fileName, mediaType } = language;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        {next.isLast
          ? 'The message field is empty, so this is the request of the last answer, with the current settings.'
          : 'Exactly what Run sends now.'}
        {language.id !== 'json' && (
          <>
            {' '}
            The code reads the token from <code className="font-mono text-sm">{TOKEN_VARIABLE}</code>.
          </>
        )}
      </p>
      <div className="-mx-4 flex flex-col">
        <Tabs
          label="Language"
          value={language.id}
          onChange={(value) => setLanguage(findCodeLanguage(value))}
          tabs={CODE_LANGUAGES.map(({ id, label }) => ({ value: id, label }))}
        >
          <pre
            {...SCROLLING}
            aria-label="Code"
            className="max-h-[50vh] overflow-auto bg-raised px-4 py-3 font-mono text-sm whitespace-pre"
          >
            {code}
          </pre>
        </Tabs>
      </div>
      <div className="flex items-center justify-end gap-2">
        <CopyButton label="Copy code" text={code} />
        <Button onClick={() => downloadText(fileName, mediaType, code)}>
          <Download aria-hidden size={13} /> Download {fileName}
        </Button>
      </div>
    </div>
  );
}
