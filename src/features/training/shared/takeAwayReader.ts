// Reads what people see of a finished run’s model and copy of a run: its memory, its command and job file, and how it is served
// elsewhere. Never throws.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#core/contract/reading.ts';
import type { ModelRunning, TakeAway, TrainingCommand } from './trainingRecords.ts';

/** Fails only if it is no object. Files without a path and commands without text are left out. */
export function readTakeAway(body: unknown): Read<TakeAway> {
  if (!isObject(body)) return failRead('the ways to take the model away are not an object');
  return {
    ok: true,
    value: {
      modelfile: textOr(body['modelfile'], null),
      problem: textOr(body['problem'], null),
      files: arrayOr(body['files'])
        .filter(isObject)
        .flatMap((file) => {
          const path = textOr(file['path'], '');
          return path === ''
            ? []
            : [
                {
                  format: textOr(file['format'], 'GGUF'),
                  path,
                  bytes: numberOr(file['bytes'], 0),
                  name: textOr(file['name'], ''),
                },
              ];
        }),
      commands: arrayOr(body['commands'])
        .filter(isObject)
        .flatMap((entry) => {
          const command = textOr(entry['command'], '');
          return command === '' ? [] : [{ title: textOr(entry['title'], ''), command }];
        }),
    },
  };
}

/** Fails without a command. */
export function readTrainingCommand(body: unknown): Read<TrainingCommand> {
  const parts = isObject(body) ? arrayOr(body['command']) : [];
  const command = parts.filter((part) => typeof part === 'string');
  if (!isObject(body) || command.length === 0) return failRead('the answer has no command');
  return { ok: true, value: { command, job: textOr(body['job'], '') } };
}

/** Fails if one of the runs has no command. */
export function readTrainingPreview(body: unknown): Read<readonly TrainingCommand[]> {
  const runs = arrayOr(isObject(body) ? body['runs'] : null).map(readTrainingCommand);
  const good = runs.flatMap((run) => (run.ok ? [run.value] : []));
  return good.length === runs.length && good.length > 0
    ? { ok: true, value: good }
    : failRead('the answer has no command');
}

/** Fails only if it is no object. */
export function readModelRunning(body: unknown): Read<ModelRunning> {
  if (!isObject(body)) return failRead('the answer about the model is not an object');
  const { memory } = body;
  return {
    ok: true,
    value: {
      status: body['status'] === true,
      memory: isObject(memory)
        ? {
            bytes: numberOr(memory['bytes'], 0),
            layers: numberOr(memory['layers'], 0),
            gpu_layers: numberOr(memory['gpu_layers'], 0),
            gpu: textOr(memory['gpu'], null),
          }
        : null,
    },
  };
}
