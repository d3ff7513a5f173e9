// The process that asks about files which may be on a mount that hangs: its calls may hang for ever.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { nearFiles, type Files } from './files.ts';
import { openFilesCore } from './filesCore.ts';

// The errors of the file system are answers.
answerAsks<Files>(openSide(), openFilesCore(nearFiles), Error);
