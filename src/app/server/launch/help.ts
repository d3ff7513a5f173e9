// What `--help` prints.
import { DEFAULT_PORT } from '#app/server/defaultPort.ts';
import { COMMAND } from './projectRoot.ts';

export const HELP = `Model Studio: a dashboard and a local studio for people who fine-tune models.

Usage: ${COMMAND} [flags]
       ${COMMAND} doctor [flags]      what a start with these flags would
                                       meet: ports, database, models, engine,
                                       disk; what is wrong and what to do
       ${COMMAND} doctor --runs DIR   what is found in a folder of runs, and
                                       what is not understood, and why
       ${COMMAND} worker --studio URL --token-file FILE [--trainer CMD]
              [--threads N] [--name NAME] [--data DIR]
                                       trains runs of a studio on another
                                       machine, one at a time
              [--once] [--run ID]      one run, or this one, and ends: 75 if
                                       it can go on, 69 without a studio
       ${COMMAND} eval SET --studio URL --token-file FILE
              [--models A,B] [--min-pass 0.95] [--baseline C]
              [--margin 0.02] [--repeats N] [--json]   says whether models
                                       are good enough, by an evaluation
       ${COMMAND} mcp --studio URL --token-file FILE   serves a running
                                       studio to an assistant (Model Context
                                       Protocol, standard input and output)
       ${COMMAND} gpu [cuda|vulkan]   installs llama.cpp's package for this
                                       machine's graphics card
       ${COMMAND} token add NAME [--read-only]
       ${COMMAND} token list
       ${COMMAND} token revoke NAME   tokens for other people and programs;
                                       takes --data and DATABASE_URL too

  --port N         port to listen on, default ${DEFAULT_PORT}; 0 takes a free one    PORT
  --host NAME      address to listen on, default 127.0.0.1; any other     HOST
                   than loopback needs STUDIO_TOKEN
  --public-url URL address that people open, when a proxy    STUDIO_PUBLIC_URL
                   with TLS stands before the studio
  --data DIR       data folder, default .studio: database,         STUDIO_DATA
                   token, models.json, launchers.json
  --model ID=FILE  add a GGUF model (repeatable); models.json adds
                   models with adapters and aliases
  --runs DIR       show the runs that TRL, Axolotl, LLaMA-Factory,  STUDIO_RUNS
                   Unsloth and others left in a folder, live;
                   nothing is written into it (repeatable)
  --engine URL     OpenAI-compatible server whose models     STUDIO_ENGINE_URL
                   are served beside the local ones
  --engine-model NAME  a model of an engine that has no list of
                   them (repeatable)
  --engine-path HERE=THERE  a folder here, and its path on the machine of
                   the engine, which loads adapters of runs (repeatable)
  --trainer CMD    command that trains jobs instead of the        STUDIO_TRAINER
                   built-in trainer: trl, axolotl, llama-factory,
                   ms-swift or unsloth, or one that gets the path
                   of a job file and writes JSON lines; none: only
                   workers train
  --threads N      threads of the built-in trainer, default one   STUDIO_THREADS
                   for each processor
  --launchers FILE clusters that runs can be given to;      STUDIO_LAUNCHERS
                   launchers.json of the data folder by default
  --evaluator NAME=URL  a program of yours that judges answers of
                   evaluations (repeatable); its token is STUDIO_EVALUATOR_TOKEN
  --webhook URL    hears when a run ends: https, or http to       STUDIO_WEBHOOK
                   this machine; the variable shows no key in it
                   to other users
  --gpu MODE       auto: llama.cpp computes on a graphics card       STUDIO_GPU
                   whose package is installed; off: on the
                   processor
  --base-url URL   gateway to a remote studio instead of       STUDIO_BASE_URL
                   a local one; needs STUDIO_API_KEY
  --no-sample      do not load the sample project
  --metrics        GET /metrics (Prometheus) needs no token
  --open           open the dashboard in the browser
  --dev            serve the dashboard from its sources, reloading on change
  --version        print the version
  --help           print this

A variable on the right does the same as its flag. Secrets are read from
variables only:

  STUDIO_TOKEN       token that callers must send; else one is made once and
                     kept in the data folder. A given one is not printed
  STUDIO_API_KEY     token of the remote studio, for --base-url
  STUDIO_ENGINE_KEY  key of the server given by --engine
  STUDIO_EVALUATOR_TOKEN  token that evaluators get
  STUDIO_WEBHOOK_SECRET  signs what --webhook gets
  DATABASE_URL       PostgreSQL instead of the embedded database
  STUDIO_LEASE_SECONDS  after so many silent seconds, default 15, the jobs of
                     a service go to another one on the same PostgreSQL

When ready it prints one line with the address to open. Ctrl-C ends it.
Exit code: 0, or 1 after a failure. doctor: 0, or 1 if there is a problem;
doctor --runs: 1 no runs, 2 no such folder, 3 runs with problems.
eval: 0 good enough, 1 worse, 2 too few rows to say, 3 an error.
`;
