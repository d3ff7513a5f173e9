// Which project a person means who pastes an id, or a link to it from anywhere. Pure.
import { isUuid } from '#core/contract/uuid.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** `?project=...`, `/projects/...`, `#/project/...`, `projectId=...`. */
const NAMED = /projects?(?:_?id)?[=/:]([0-9a-f-]{36})/i;

export type ProjectLink = { readonly ok: true; readonly id: string } | { readonly ok: false; readonly problem: string };

const EXAMPLE = '6f0c4a12-0b7e-4c55-9a54-2d8f1f2b91ab';

/** The id that the text is, or that its link names; a link with a single id may name it in any way. */
export function parseProjectLink(text: string): ProjectLink {
  const typed = text.trim();
  const named = NAMED.exec(typed)?.[1];
  if (named !== undefined && isUuid(named)) return { ok: true, id: named };
  const [first, ...others] = new Set((typed.match(UUID) ?? []).map((id) => id.toLowerCase()).filter(isUuid));
  if (first === undefined)
    return { ok: false, problem: `A project id is a UUID such as ${EXAMPLE}; “${typed.slice(0, 60)}” contains none.` };
  if (others.length > 0)
    return {
      ok: false,
      problem: 'This text contains several ids. Paste only the id of the project.',
    };
  return { ok: true, id: first };
}
