// The endpoints of the local studio: SPEC 4.1 to 4.3, and what SPEC leaves out (lists of projects and models, jobs,
// examples).
import type { ModelList } from '../contract/completion';
import { ROUTES } from '../contract/routes';
import type { ProjectNode } from '../contract/tree';
import type { Studio } from '../studio/studio';
import { toChatRoute, type ChatDeps } from './chatRoute';
import { sendTagged } from './conditional';
import { toEtag } from './etag';
import { HttpProblem } from './problem';
import { sendJson, uuidParam, type Route, type RouteContext } from './route';

export interface LocalDeps extends ChatDeps {
  readonly studio: Studio;
}

/** What the path names by its id. */
async function findNamed<T>(context: RouteContext, what: string, find: (id: string) => Promise<T | null>): Promise<T> {
  const param = `${what}Id`;
  const id = uuidParam(context, param);
  const found = await find(id);
  if (found === null) throw new HttpProblem(404, `There is no ${what} ${id} in this studio. Check the id.`, { param, code: `${what}_not_found` });
  return found;
}

interface TaggedTree {
  readonly body: string;
  readonly etag: string;
}

/** A large tree takes long to write and to hash; the studio gives the same object until something in it changes. */
function openTreeCache(): (project: ProjectNode) => TaggedTree {
  const known = new WeakMap<ProjectNode, TaggedTree>();
  return (project) => {
    const cached = known.get(project);
    if (cached) return cached;
    const body = JSON.stringify({ project });
    const tree = { body, etag: toEtag(body) };
    known.set(project, tree);
    return tree;
  };
}

export function toLocalRoutes(deps: LocalDeps): readonly Route[] {
  const { studio, engine } = deps;
  const toTaggedTree = openTreeCache();
  return [
    {
      method: 'GET',
      path: ROUTES.projects,
      handle: async () => sendJson({ projects: await studio.listProjects() }),
    },
    {
      method: 'GET',
      path: ROUTES.project,
      async handle(context) {
        const { body, etag } = toTaggedTree(await findNamed(context, 'project', (id) => studio.findProject(id)));
        return sendTagged(body, context.req.header('If-None-Match'), etag);
      },
    },
    {
      method: 'GET',
      path: ROUTES.recommendation,
      async handle(context) {
        const recommendation = await findNamed(context, 'snapshot', (id) => studio.findRecommendation(id));
        return sendTagged(JSON.stringify(recommendation), context.req.header('If-None-Match'));
      },
    },
    {
      method: 'GET',
      path: ROUTES.job,
      async handle(context) {
        const job = await findNamed(context, 'job', (id) => studio.findJob(id));
        return sendTagged(JSON.stringify(job), context.req.header('If-None-Match'));
      },
    },
    {
      method: 'GET',
      path: ROUTES.models,
      async handle() {
        const list: ModelList = { object: 'list', data: [...(await engine.listModels())] };
        return sendJson(list);
      },
    },
    {
      method: 'GET',
      path: ROUTES.examples,
      async handle(context) {
        const model = context.req.param('modelId') ?? '';
        const examples = await studio.findExamples(model);
        if (!examples) throw new HttpProblem(404, `There are no example prompts for the model "${model}".`, { param: 'modelId', code: 'examples_not_found' });
        return sendJson(examples);
      },
    },
    toChatRoute(deps),
  ];
}
