// What a caller sees of launchers: the clusters that the operator has configured. No addresses and no secrets.
import * as z from 'zod/mini';
import { countSchema } from '#core/contract/schemas.ts';

export const LAUNCHER_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/;

export const launcherNameSchema = z
  .string()
  .check(z.regex(LAUNCHER_NAME, 'must be the name of a launcher of GET /api/v1/studio/launchers'));

export const launchersSchema = z.strictObject({
  launchers: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(['command', 'slurm', 'ray', 'kubernetes']),
      about: z.string().check(z.describe('What a run asks for there, such as "partition gpu, 1 GPU".')),
      most_at_once: countSchema.check(z.describe('Runs that it is given at a time.')),
      open: countSchema.check(z.describe('Runs that it has now.')),
    }),
  ),
});

export type Launchers = z.infer<typeof launchersSchema>;
