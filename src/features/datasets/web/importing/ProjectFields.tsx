import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { NEW_PROJECT, type TargetProject } from './targetProject.ts';

interface ProjectFieldsProps {
  target: TargetProject;
}

/** Asks for the project of a new dataset: one that is there, or the name of a new one. */
export function ProjectFields({ target: { projects, id, setId, newName, setNewName } }: ProjectFieldsProps) {
  return (
    <>
      <div className="flex flex-col gap-1">
        <span aria-hidden className="text-soft">
          Project
        </span>
        <Select
          label="Project"
          isLabelHidden
          value={id}
          options={[
            ...projects.map(({ id: value, name: label }) => ({ value, label })),
            { value: NEW_PROJECT, label: 'a new project…' },
          ]}
          onChange={setId}
        />
      </div>
      {id === NEW_PROJECT && (
        <TextField
          label="Name of the new project"
          value={newName}
          onChange={setNewName}
          maxLength={DATA_LIMITS.name}
          autoComplete="off"
          className="flex-1"
        />
      )}
    </>
  );
}
