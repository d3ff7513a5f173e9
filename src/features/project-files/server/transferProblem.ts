// Why a project can't be exported or imported. The message says what happened and what to do.
import { Refusal } from '#service/http/refusal.ts';
import { ImportLost } from '#features/datasets/server/importing/importFailures.ts';

interface Detail {
  readonly param?: string;
  /** The project that is here already. */
  readonly project?: { readonly id: string; readonly name: string };
}

export class TransferProblem extends Refusal {
  override readonly name = 'TransferProblem';
  readonly project: { readonly id: string; readonly name: string } | null;
  constructor(
    status: 400 | 409 | 413 | 429 | 503 | 507,
    code: string,
    message: string,
    { param, project }: Detail = {},
  ) {
    super(status, message, code, param, '30');
    this.project = project ?? null;
  }
}

/** Another service took the import for dead, and has removed it. */
export const importLost = (): TransferProblem => new TransferProblem(503, 'import_lost', new ImportLost().message);

/** A file that can't be taken: nothing of it stays. */
export const refuseFile = (code: string, message: string): TransferProblem =>
  new TransferProblem(400, code, `${message} Nothing was imported.`, { param: 'file' });
