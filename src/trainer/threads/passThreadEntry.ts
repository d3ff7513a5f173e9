// A thread of a crew: passes the batches that it is sent through the model.
import { openTransformer } from '#trainer/model/transformer.ts';
import { openSide, readData } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { toWork, type ThreadStart, type Work } from './work.ts';

const { options, seat } = readData<ThreadStart>();
answerAsks<Work>(openSide(), toWork(openTransformer(options, seat)));
