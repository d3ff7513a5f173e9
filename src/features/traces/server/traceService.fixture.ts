// For tests: the service with an embedded database, and the routes of traces and of data.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { Trace } from '#features/traces/shared/traces.ts';
import { openData } from '#features/datasets/server/openData.ts';
import { toDataRoutes } from '#features/datasets/server/routes/dataRoutes.ts';
import { openRowViews } from '#features/datasets/server/modelView/modelViews.ts';
import type { Database } from '#service/database/database.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { openTestDatabase } from '#service/database/testDatabase.fixture.ts';
import { openTestService, type Answer, type TestService } from '#service/http/testService.fixture.ts';
import { openTraces, type Traces } from './openTraces.ts';
import { toTraceRoutes } from './traceRoutes.ts';

export interface TraceService {
  readonly service: TestService;
  readonly database: Database;
  readonly traces: Traces;
  /** What the teacher was asked. */
  readonly asked: { readonly model: string; readonly messages: ChatMessage[] }[];
  /** The model that corrects; null: there is none. */
  setTeacher(name: string | null): void;
  /** How it answers. */
  setAnswer(answer: () => Promise<string>): void;
  /** A project with a dataset of one row. */
  project(): Promise<{ readonly projectId: string; readonly datasetId: string }>;
  addOne(trace: object): Promise<Trace>;
  put(id: string, change: object): Promise<Answer>;
  addToDataset(id: string, query?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const ROW = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello."}]}';

export async function openTraceService(): Promise<TraceService> {
  const folders = await openTestFolders();
  const database = await openTestDatabase(await folders.withDatabase('tables'));
  let teacher: string | null = 'teacher';
  let answer = async (): Promise<string> => 'Better.';
  const asked: { model: string; messages: ChatMessage[] }[] = [];
  const now = (): Date => new Date();
  const onWarning = (): void => undefined;
  const data = await openData({ database, views: openRowViews({ listFiles: async () => [] }), now, onWarning });
  const traces = await openTraces({
    database,
    now,
    findTeacher: async () => teacher,
    ask: async (model, messages) => {
      asked.push({ model, messages });
      return answer();
    },
    onWarning,
  });
  const service = await openTestService({ routes: () => [...toTraceRoutes(traces), ...toDataRoutes(data)] });
  const json = async <Value>(sent: Promise<Answer>): Promise<Value> => (await sent).json() as Value;
  return {
    service,
    database,
    traces,
    asked,
    setTeacher: (name) => (teacher = name),
    setAnswer: (next) => (answer = next),
    async project() {
      const { project_id: projectId } = await json<{ project_id: string }>(
        service.post('/api/v1/public/projects/create', { name: 'Desk' }),
      );
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'Tickets', project_id: projectId })) form.append(name, value);
      form.append('file', new Blob([ROW]), 'rows.jsonl');
      const response = new Response(form);
      const { dataset_id: datasetId } = await json<{ dataset_id: string }>(
        service.askSigned('/api/v1/public/datasets/create-from-jsonl', {
          method: 'POST',
          body: Buffer.from(await response.arrayBuffer()),
          headers: { 'Content-Type': response.headers.get('Content-Type') ?? '' },
        }),
      );
      return { projectId, datasetId };
    },
    addOne: (trace) => json(service.post('/api/v1/traces', trace)),
    put: (id, change) =>
      service.askSigned(`/api/v1/traces/${id}`, {
        method: 'PUT',
        body: JSON.stringify(change),
        headers: { 'Content-Type': 'application/json' },
      }),
    addToDataset: (id, query = '') =>
      json(service.askSigned(`/api/v1/traces/${id}/addToDataset${query}`, { method: 'POST' })),
    async close() {
      await service.close();
      await traces.close();
      await data.close();
      await database.close();
      await folders.remove();
    },
  };
}
