import { useState, type FormEvent } from 'react';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { parseProjectLink } from './projectLink.ts';

/** Where the service can't list its projects, a person names one. */
export function ProjectEntry() {
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
