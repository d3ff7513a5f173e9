// A request about data that can't be done. The message says what happened and what to do.
import { Refusal } from '#service/http/refusal.ts';

export interface DataProblemDetail {
  readonly code: string;
  readonly param?: string;
}

export class DataProblem extends Refusal {
  override readonly name = 'DataProblem';
  constructor(status: 400 | 404 | 409 | 429, message: string, { code, param }: DataProblemDetail) {
    super(status, message, code, param);
  }
}

/** 404 for an id. */
export const notThere = (kind: string, id: string, param = `${kind}Id`): DataProblem =>
  new DataProblem(404, `There is no ${kind} ${id} in this studio. Check the id.`, {
    param,
    code: `${kind}_not_found`,
  });
