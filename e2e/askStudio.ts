// Asks a studio over HTTP, as a program of its owner does.

/** Where a studio answers, and its token. */
export interface Place {
  readonly origin: string;
  readonly token: string;
}

export async function send(studio: Place, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(studio.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${studio.token}`, ...init.headers },
  });
}

function toInit(body: object | undefined): RequestInit {
  if (body === undefined) return {};
  if (body instanceof FormData) return { method: 'POST', body };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The text of an answer; throws for a status that is no success. With a body it is a POST. */
export async function askText(studio: Place, path: string, body?: object): Promise<string> {
  const response = await send(studio, path, toInit(body));
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The same for an answer in JSON. */
export const ask = async <Answer>(studio: Place, path: string, body?: object): Promise<Answer> =>
  JSON.parse(await askText(studio, path, body)) as Answer;

/** Rows in a project of their own, of which `percent` are trained on. Returns the id of the snapshot. */
export async function uploadRows(studio: Place, name: string, text: string, percent = 80): Promise<string> {
  const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', { name });
  const form = new FormData();
  form.append('name', name);
  form.append('project_id', project_id);
  form.append('file', new Blob([text]), 'rows.jsonl');
  const { dataset_id } = await ask<{ dataset_id: string }>(studio, '/api/v1/public/datasets/create-from-jsonl', form);
  const { snapshot_id } = await ask<{ snapshot_id: string }>(studio, '/api/v1/public/snapshots/create', {
    dataset_id,
    split_percentage: percent,
  });
  return snapshot_id;
}

/** Starts a run. Returns its id, once the studio has taken it. */
export async function startRun(studio: Place, snapshot_id: string, name: string, run: object): Promise<string> {
  const made = await ask<{ job_id: string }>(studio, '/api/v1/public/finetuning/create', {
    snapshot_id,
    name,
    experiments: [run],
  });
  const { experiments } = await ask<{ experiments: readonly { id: string }[] }>(
    studio,
    `/api/v1/public/finetuning/${made.job_id}`,
  );
  const [first] = experiments;
  if (first === undefined) throw new Error(`The job ${made.job_id} has no run.`);
  return first.id;
}
