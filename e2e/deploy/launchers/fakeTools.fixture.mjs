// For tests: `hf` and `sky` as huggingface_hub 2.4.0 and skypilot 0.14.1 answered to the recipes, on what a folder says there is.
// node fakeTools.fixture.mjs FOLDER hf|sky WORDS...
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', tool = '', ...words] = process.argv.slice(2);
const file = join(folder, 'jobs.json');
const { jobs = [], fault = null, requests = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const save = () => writeFileSync(file, JSON.stringify({ jobs, fault, requests }));
const valueOf = (flag) => words[words.indexOf(flag) + 1];
const print = (text) => process.stdout.write(`${text}\n`);
const printJson = (value) => print(JSON.stringify(value, null, tool === 'sky' ? 2 : undefined));
function fail(code, text) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

appendFileSync(join(folder, 'seen'), `${words.join(' ')}\n${JSON.stringify(process.env)}\n`);
const verb = words.slice(0, 2).join(' ');
if (fault !== null && (fault.at ?? verb) === verb) {
  if (fault.hangs) await new Promise((resolve) => setTimeout(resolve, 60_000));
  process.stdout.write(fault.out ?? '');
  if (fault.err) fail(fault.code ?? 1, fault.err);
  process.exit(0);
}

const keepSecrets = (flag) => writeFileSync(join(folder, 'secrets'), readFileSync(valueOf(flag), 'utf8'));
const NOT_FOUND =
  'Error: 404 Client Error.\nJob Not Found for url: https://huggingface.co/api/jobs/ada/9.\n' +
  'Please make sure you specified the correct job ID and namespace.\n' +
  'Hint: set HF_DEBUG=1 as environment variable for full traceback.';

const HF = {
  'jobs run'() {
    keepSecrets('--secrets-file');
    const job = {
      id: `687fb7${jobs.length}`,
      created_at: `2026-11-29T12:00:0${jobs.length}+00:00`,
      name: valueOf('--name'),
    };
    jobs.push({ ...job, words, status: { stage: 'SCHEDULING', message: 'Waiting for hardware' } });
    save();
    process.stderr.write('Job configuration:\n  secrets  STUDIO_WORKER_TOKEN=***\n');
    printJson({ id: job.id, name: job.name, url: `https://huggingface.co/jobs/ada/${job.id}` });
  },
  'jobs list'() {
    const named = jobs.filter(({ name }) => name === valueOf('--name'));
    // The newest first.
    printJson(named.toReversed().map(({ id, created_at, status }) => ({ id, created_at, status: status.stage })));
  },
  'jobs inspect'() {
    const job = jobs.find(({ id }) => id === words[2]);
    if (job === undefined) return fail(1, NOT_FOUND);
    printJson([job]);
  },
  'jobs cancel'() {
    const job = jobs.find(({ id }) => id === words[2]);
    if (job === undefined) return fail(1, NOT_FOUND);
    job.status = { stage: 'CANCELED' };
    save();
    print('✓ Job cancelled');
  },
  'jobs logs'() {
    if (valueOf('--format') === 'agent') process.stdout.write(readFileSync(join(folder, 'log'), 'utf8'));
    process.stderr.write('Hint: If the job is still running, use `hf jobs logs -f 9` to stream new logs.\n');
  },
};

const SKY = {
  'jobs launch'() {
    keepSecrets('--secret-file');
    writeFileSync(join(folder, 'task.yaml'), readFileSync(words.at(-1), 'utf8'));
    requests.push({ request_id: `8ae24291-${requests.length}`, name: valueOf('-n'), status: 'RUNNING' });
    save();
    const id = requests.at(-1).request_id;
    print(
      `YAML to run: task.yaml\nSubmitted sky.jobs.launch request: ${id}\n├── Check logs with: sky api logs ${id}\n`,
    );
  },
  'jobs queue'() {
    if (jobs.length === 0) return fail(1, 'sky.exceptions.ClusterNotUpError: No in-progress managed jobs.');
    printJson(jobs);
  },
  'jobs cancel'() {
    for (const job of jobs.filter(({ job_name: name }) => name === valueOf('-n'))) job.status = 'CANCELLING';
    save();
    print(`No running job found with name '${valueOf('-n')}'.`);
  },
  'jobs logs'() {
    process.stdout.write(readFileSync(join(folder, 'log'), 'utf8'));
  },
  'api status'() {
    printJson(requests.filter(({ request_id: id }) => id === words[2]));
  },
  'api logs'() {
    print("\u001B[33mLaunching managed job 'ms-1'...\u001B[0m");
    fail(1, 'sky.exceptions.NoCloudAccessError: Cloud access is not set up. Run: \u001B[1msky check\u001B[0m');
  },
  'api cancel'() {
    for (const request of requests.filter(({ request_id: id }) => id === valueOf('-y'))) request.status = 'CANCELLED';
    save();
  },
};

(tool === 'hf' ? HF : SKY)[verb]();
