// Every format that the studio reads. Where several say something about the same run, `joinRuns.ts` decides.
import type { FormatReader } from '#features/runs/server/reader.ts';
import { axolotl } from './axolotl.ts';
import { hfTrainerFormat } from './hfTrainer.ts';
import { lightning } from './lightning.ts';
import { litgpt } from './litgpt.ts';
import { llamaFactory } from './llamaFactory.ts';
import { mlflowDatabase } from './mlflowDatabase.ts';
import { mlflowFiles } from './mlflowFiles.ts';
import { swanlab } from './swanlab.ts';
import { swift } from './swift.ts';
import { stdoutFormat } from './stdoutLog.ts';
import { tensorboardFormat } from './tfevents.ts';
import { mlx } from './mlx.ts';
import { torchtune } from './torchtune.ts';
import { trackio } from './trackio.ts';
import { unslothStudio } from './unslothStudio.ts';
import { wandb } from './wandb.ts';

export const ALL_FORMATS: readonly FormatReader[] = [
  hfTrainerFormat,
  tensorboardFormat,
  stdoutFormat,
  wandb,
  trackio,
  swanlab,
  unslothStudio,
  mlflowDatabase,
  mlflowFiles,
  llamaFactory,
  swift,
  litgpt,
  lightning,
  axolotl,
  torchtune,
  mlx,
];
