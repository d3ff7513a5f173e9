// Serves the two pages of the table benchmark beside a large project and its jobs.
import { findRemoteJob } from '../remoteJobs.ts';
import { REMOTE_IDS, toLargeProject } from '../remoteTree.ts';
import { openPages, type PageServer } from './pageServer.ts';

const API = '/api/v1/public/';

/** Serves `/ours` and `/flat` on a free port. */
export function openTableServer(nodes: number): Promise<PageServer> {
  const project = Buffer.from(JSON.stringify({ project: toLargeProject(nodes) }));
  const none = new Map<string, string>();
  return openPages({ ours: 'tableOurs.tsx', flat: 'tableFlat.tsx' }, (pathname, _request, response) => {
    const send = (body: string | Buffer, status = 200): true => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    if (pathname === `${API}projects/${REMOTE_IDS.largeProject}`) return send(project);
    if (!pathname.startsWith(`${API}finetuning/`)) return false;
    const job = findRemoteJob(pathname.slice(`${API}finetuning/`.length), { statuses: none, nodes });
    return send(JSON.stringify(job ?? { error: 'Job not found.' }), job ? 200 : 404);
  });
}
