// Serves the three pages of the tree benchmark beside one large answer.
import { REMOTE_IDS, toLargeProject } from '../remoteTree.ts';
import { openPages, type PageServer } from './pageServer.ts';

export const TREE_PATH = `/api/v1/public/projects/${REMOTE_IDS.largeProject}`;

export interface TreeServer extends PageServer {
  /** Size of the answer. */
  readonly bytes: number;
  /** Changes the label of one node in the middle: the next answer has it. */
  change(): void;
}

/** Serves `/ours`, `/flat` and `/arborist` on a free port. */
export async function openTreeServer(nodes: number): Promise<TreeServer> {
  let body = Buffer.from(JSON.stringify({ project: toLargeProject(nodes) }));
  const bytes = body.length;
  let changes = 0;
  const pages = await openPages(
    { ours: 'treeOurs.tsx', flat: 'treeFlat.tsx', arborist: 'treeArborist.tsx' },
    (pathname, request, response) => {
      if (pathname !== TREE_PATH) return false;
      // As the product's service answers, in gateway mode too: tagged, and not sent again while it is the same.
      const etag = `"tree-${changes}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, etag }).end(body);
      return true;
    },
  );
  return {
    ...pages,
    bytes,
    change() {
      changes += 1;
      body = Buffer.from(
        JSON.stringify({ project: toLargeProject(nodes) }).replace(
          '"label":"Snapshot 7"',
          `"label":"Snapshot 7, changed ${changes}"`,
        ),
      );
    },
  };
}
