import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState, type FormEvent } from 'react';
import { modelsQuery } from '#ui/client/queries.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { TextField } from '#ui/fields/TextField.tsx';
import { parseProjectLink } from './projectLink.ts';

/** Where the service can't list its projects, a person names one. */
function ProjectEntry() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const link = parseProjectLink(text);
    if (link.ok) updateUrl(toProject(link.id));
    else setProblem(link.problem);
  };
  const type = (next: string) => {
    setText(next);
    setProblem(null);
  };
  return (
    <form onSubmit={open} className="flex max-w-xl flex-col gap-3">
      <TextField
        label="Project id or link"
        value={text}
        onChange={type}
        problem={problem}
        spellCheck={false}
        autoComplete="off"
      />
      <div>
        <Button type="submit" variant="primary">
          Open project
        </Button>
      </div>
    </form>
  );
}

interface ProjectStepsProps {
  mode: SessionInfo['mode'];
  /** The service lists its projects, and there is none. */
  isListed: boolean;
  /** Asks for the list again. */
  onRetry: () => void;
}

function Command({ children: text }: { children: string }) {
  return (
    <span className="flex items-center gap-1 rounded-md border border-line bg-surface py-0.5 pr-1 pl-2.5">
      <code className="min-w-0 flex-1 font-mono text-sm">{text}</code>
      <CopyButton label={`Copy ${text}`} text={text} />
    </span>
  );
}

function Step({ title, command, children }: { title: string; command: string; children: ReactNode }) {
  return (
    <li className="flex flex-col gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      <p className="text-soft">{children}</p>
      <Command>{command}</Command>
    </li>
  );
}

const MAX_NAMED = 3;

function toServedText(models: readonly string[]): string {
  const more = models.length - MAX_NAMED;
  const named = models.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${named} ${models.length === 1 ? 'is' : 'are'} ready: choose one in the playground.`;
}

/** If models are served already, the last step is useless. */
function LocalSteps({ served }: { served: readonly string[] }) {
  return (
    <ol className="grid gap-x-8 gap-y-5 @2xl:grid-cols-2">
      <li className="flex flex-col gap-1.5">
        <h3 className="font-semibold">Start with your own rows</h3>
        <p className="text-soft">
          Drop a JSONL file or a JSON array anywhere on this page. You see its first rows and its bad lines, then make a
          snapshot and get recommended models.
        </p>
        <span className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => runCommand('add-data')}>
            Choose a file
          </Button>
          <Button onClick={() => runCommand('new-project')}>New project</Button>
          <Button onClick={() => runCommand('import-project')}>Import project…</Button>
        </span>
      </li>
      <li className="flex flex-col gap-1.5">
        <h3 className="font-semibold">See your own runs</h3>
        <p className="text-soft">
          A folder with outputs of TRL, Axolotl, LLaMA-Factory or Unsloth becomes a project, with live curves. Files are
          only read.
        </p>
        <span>
          <Button onClick={() => runCommand('run-folders')}>Add a run folder</Button>
        </span>
      </li>
      <Step title="Get the sample project" command="npm start">
        Datasets, real runs and six fine-tuned models, all on this machine. Stop the studio, then start it again with
        the same flags, but without <code className="font-mono">--no-sample</code>. Keep{' '}
        <code className="font-mono">--data</code> if you set it: otherwise the studio opens another data folder.
      </Step>
      <Step
        title="Connect to a remote studio"
        command="STUDIO_API_KEY=... npm start -- --base-url https://studio.example.com"
      >
        This page then shows the projects of the remote studio. Its key stays on the server.
      </Step>
      {served.length > 0 ? (
        <li className="flex flex-col gap-1.5">
          <h3 className="font-semibold">Chat with the models of this studio</h3>
          <p className="text-soft [overflow-wrap:anywhere]">{toServedText(served)}</p>
        </li>
      ) : (
        <>
          <Step title="Chat with a model of your own" command="npm start -- --model my-model=/models/my-model.gguf">
            Any GGUF file works. Add this flag when you start the studio.
          </Step>
          <Step title="Chat with the models of a server" command="npm start -- --engine http://127.0.0.1:8000/v1">
            Any OpenAI-compatible server works: vLLM, SGLang, Ollama, llama-server.
          </Step>
        </>
      )}
    </ol>
  );
}

/** What to do without a project: how to create one, or open one that the service does not list. */
export function ProjectSteps({ mode, isListed, onRetry }: ProjectStepsProps) {
  const isLocal = mode === 'local';
  const served = (useQuery(modelsQuery()).data ?? []).map(({ id }) => id);
  const why = isLocal
    ? 'This studio has no project yet.'
    : isListed
      ? 'The remote studio lists no project for this key.'
      : 'This studio can’t list its projects.';
  return (
    <div className="@container">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 px-8 py-10">
        <div>
          <h2 className="text-xl font-semibold tracking-tight">{isLocal ? 'No projects yet' : 'Open a project'}</h2>
          <p className="mt-1 text-soft">
            {why}{' '}
            {isLocal
              ? 'The playground works without a project: it needs only a model.'
              : 'Paste the id of a project, or a link to it. The playground works without a project.'}
          </p>
        </div>
        {isLocal ? <LocalSteps served={served} /> : <ProjectEntry />}
        <p className="flex flex-wrap gap-2">
          {isListed && <Button onClick={onRetry}>Look for projects again</Button>}
          {!isLocal && <Button onClick={() => runCommand('new-project')}>New project</Button>}
        </p>
      </div>
    </div>
  );
}
