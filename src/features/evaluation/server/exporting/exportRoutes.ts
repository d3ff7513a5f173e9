// Runs of evaluations as files, sent while they are read.
import { toScorerNames } from '#features/evaluation/shared/checkNames.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import { HTML_END, toHtmlHead, toHtmlRow } from '#features/evaluation/shared/exports/evaluationHtml.ts';
import { toPreferenceLines, type PreferenceChoice } from '#features/evaluation/shared/exports/preferenceLines.ts';
import {
  toHeadLine,
  toRowLine,
  type ExportedRow,
  type ExportedRun,
} from '#features/evaluation/shared/exports/studioLines.ts';
import { readAnswerPage } from '#features/evaluation/server/answerPages.ts';
import { toAnswerRequest } from '#features/evaluation/server/answerRequest.ts';
import { readEvaluation } from '#features/evaluation/server/evaluations.ts';
import type { Evaluations } from '#features/evaluation/server/openEvaluations.ts';
import { readWholeRun, type WholeRun } from '#features/evaluation/server/runRecords.ts';
import type { Orm } from '#service/database/database.ts';
import { readModelLabels } from './modelLabels.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { Route } from '#service/http/route.ts';
import { sendDownload } from '#service/http/sendDownload.ts';

export interface ExportDeps {
  readonly orm: Orm;
  readonly evaluations: Pick<Evaluations, 'read' | 'readScores'>;
  readonly read: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export function toExportRoutes({ orm, evaluations, read }: ExportDeps): readonly Route[] {
  async function* readRows(runId: string): AsyncGenerator<ExportedRow> {
    for (let offset = 0; ; offset += EVALUATION_LIMITS.page) {
      const { total, rows } = await read(() => readAnswerPage(orm, runId, { offset, limit: EVALUATION_LIMITS.page }));
      yield* rows;
      if (offset + EVALUATION_LIMITS.page >= total) return;
    }
  }

  async function readExported(runId: string): Promise<ExportedRun> {
    const run = await evaluations.read(runId);
    // The checks are those that judged, which may be newer than the rows.
    const [asked, judged] = [
      await readEvaluation(orm, run.evaluation_id, run.version),
      await readEvaluation(orm, run.evaluation_id, run.checks_version),
    ];
    const evaluation = { ...asked, checks: judged.checks };
    return { evaluation, run, scores: await evaluations.readScores(runId, null) };
  }

  async function* toPairs(whole: WholeRun, choice: PreferenceChoice): AsyncGenerator<string> {
    for await (const row of readRows(whole.run.id)) {
      const request = toAnswerRequest(whole.content, row, whole.run.baseline, 1);
      if (!request.ok) continue;
      const { messages, tools = [] } = request.value;
      for (const line of toPreferenceLines({ messages, tools: tools ?? [], answers: row.answers }, choice))
        yield `${line}\n`;
    }
  }

  return [
    toRoute(EVALUATIONS.exportEvaluationRun, async ({ params: { runId }, query: { form = 'jsonl' }, context }) => {
      const exported = await read(() => readExported(runId));
      const isHtml = form === 'html';
      const models = exported.run.models.map(({ model }) => model);
      const labelOf = await read(() => readModelLabels(orm, models));
      const nameOf = toScorerNames(exported.evaluation.checks);
      async function* open(): AsyncGenerator<string> {
        yield isHtml ? toHtmlHead(exported, labelOf) : `${toHeadLine(exported)}\n`;
        for await (const row of readRows(runId)) yield isHtml ? toHtmlRow(row, nameOf, labelOf) : `${toRowLine(row)}\n`;
        if (isHtml) yield HTML_END;
      }
      const name = `${exported.evaluation.name}-run-${exported.run.number}.${form}`;
      return sendDownload(context, { name, type: isHtml ? 'text/html; charset=utf-8' : 'application/x-ndjson', open });
    }),
    toRoute(EVALUATIONS.listPreferenceRows, async ({ params: { runId }, query, context }) => {
      const { form = 'dpo', chosen = null, rejected = null } = query;
      const whole = await read(() => readWholeRun(orm, runId));
      for (const [param, model] of Object.entries({ chosen, rejected }))
        if (model !== null && !whole.models.some((own) => own.model === model))
          throw new HttpProblem(400, `The run did not ask the model "${model}". Choose one of its models.`, { param });
      const open = (): AsyncGenerator<string> => toPairs(whole, { form, chosen, rejected });
      return sendDownload(context, {
        name: `${form}-run-${whole.run.number}.jsonl`,
        type: 'application/x-ndjson',
        open,
      });
    }),
  ];
}
