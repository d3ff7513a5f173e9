import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '#ui/client/queries.ts';
import { linkTo, toProject, updateUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';

const MAX_LISTED = 20;

/** The projects that there are, for who followed a link to one that there is not. */
export function ProjectLinks() {
  const { data: projects } = useQuery(projectsQuery());
  if (projects === undefined) return null;
  // A studio that can't list its projects asks for an id on its start page.
  if (projects === null || projects.length === 0) {
    return (
      <p className="mt-4">
        <Button onClick={() => updateUrl(toProject(null))}>Open another project</Button>
      </p>
    );
  }
  return (
    <nav aria-label="Projects" className="mt-4">
      <h2 className="mb-1 font-semibold">Projects of this studio</h2>
      <ul className="flex flex-col gap-0.5">
        {projects.slice(0, MAX_LISTED).map(({ id, name }) => (
          <li key={id}>
            <a href={linkTo(toProject(id))} className="inline-block rounded py-0.5 text-accent hover:underline">
              {name}
            </a>
          </li>
        ))}
      </ul>
      {projects.length > MAX_LISTED && (
        <p className="mt-1 text-soft">All {projects.length} are in the list at the top of the page.</p>
      )}
    </nav>
  );
}
