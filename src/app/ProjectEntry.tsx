import { useState, type FormEvent } from 'react';
import { isUuid } from '../contract/uuid';
import { toProject, updateUrl } from '../session/urlState';
import { Button } from '../ui/Button';
import { TextField } from '../ui/TextField';

/** Never changes, so React calls it once: the page's only field takes the focus. */
const focusAtFirst = (field: HTMLInputElement | null) => field?.focus();

/** Where the service can't list its projects, a person names one. */
export function ProjectEntry() {
  const [id, setId] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const typed = id.trim();
    if (isUuid(typed)) updateUrl(toProject(typed));
    else setProblem('A project id is a UUID such as 6f0c4a12-0b7e-4c55-9a54-2d8f1f2b91ab.');
  };
  return (
    <form onSubmit={open} className="mx-auto flex w-full max-w-md flex-col gap-3 px-6 py-16">
      <h2 className="text-xl font-semibold tracking-tight">Open a project</h2>
      <p className="text-soft">This studio can’t list its projects. Enter the id of the one you want to see; the link can be kept.</p>
      <TextField label="Project id" value={id} onChange={setId} problem={problem} spellCheck={false} autoComplete="off" ref={focusAtFirst} />
      <div>
        <Button type="submit" variant="primary">
          Open project
        </Button>
      </div>
    </form>
  );
}
