import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '#ui/client/queries.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { toProject, updateUrl } from '#ui/address/urlState.ts';
import { shortId } from '#ui/kit/format.ts';
import { Select } from '#ui/fields/Select.tsx';

interface ProjectSelectProps {
  projectId: string | null;
  /** The studio of this service, which can read folders of this machine. */
  isLocal: boolean;
}

const FOLDERS = { value: 'run-folders', label: 'Run folders…' };

/** The projects of this studio. Where the service can't list them, another id is entered on the start page. */
export function ProjectSelect({ projectId, isLocal }: ProjectSelectProps) {
  const { data: projects } = useQuery(projectsQuery());
  if (!projects || projects.length === 0) {
    if (projectId === null) return null;
    return (
      <button
        type="button"
        title={`Project ${projectId}. Open another one.`}
        onClick={() => updateUrl(toProject(null))}
        className="h-7 min-w-0 truncate rounded-md border border-line-strong bg-surface px-2.5 font-mono text-sm hover:border-faint"
      >
        {shortId(projectId)}
      </button>
    );
  }
  return (
    <Select
      label="Project"
      isLabelHidden
      value={projectId ?? ''}
      options={[...projects.map(({ id, name }) => ({ value: id, label: name })), ...(isLocal ? [FOLDERS] : [])]}
      onChange={(id) => (id === FOLDERS.value ? runCommand('run-folders') : updateUrl(toProject(id)))}
    />
  );
}
