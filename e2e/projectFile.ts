// The sample project as a file, whose records are changed.
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { toPath } from '#core/contract/path.ts';
import { ask, send, type Place } from './askStudio.ts';

export type Line = Record<string, unknown>;

export async function toProjectFile(studio: Place, change: (line: Line) => void): Promise<Buffer> {
  const { projects } = await ask<{ projects: { id: string }[] }>(studio, '/api/v1/public/projects');
  const answer = await send(studio, toPath('/api/v1/studio/projects/{projectId}/export', [projects[0]?.id ?? '']));
  const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
  const lines = text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  for (const line of lines) change(line);
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return Buffer.from(`${body}${JSON.stringify({ kind: 'end', lines: lines.length, sha256 })}\n`);
}
