// Credentials in the shapes that vendors give them, with bodies drawn by chance, and what only looks like one. None is real.
import type { Draw } from './messyRowsKinds.ts';

/** A kind of credential, and one of it with the name that a configuration gives it. */
type Maker = readonly [what: string, make: (draw: Draw) => string];

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');
const toBase64Url = (text: string): string => Buffer.from(text).toString('base64url');

function toLines(text: string, width: number): string {
  return text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? '';
}

const toPem = (draw: Draw, name: string, lines: number): string =>
  `-----BEGIN ${name}-----\n${toLines(draw.text('base64', lines * 64 - 20), 64)}\n-----END ${name}-----`;

function toToken(draw: Draw): string {
  const header = { alg: draw.pick(['HS256', 'RS256', 'ES256']), typ: 'JWT' };
  const claims = {
    sub: String(draw.between(100, 99_999)),
    scope: draw.pick(['admin', 'orders:write', 'read']),
    iat: 1_700_000_000 + draw.below(9_000_000),
  };
  return `${toBase64Url(JSON.stringify(header))}.${toBase64Url(JSON.stringify(claims))}.${draw.text('base64url', header.alg === 'RS256' ? 342 : 43)}`;
}

const toHost = (draw: Draw): string =>
  draw.pick([
    'db.shop-intern.net',
    'pg-prod-2.vellmar-retail.com',
    '10.4.12.7',
    'cluster0.kq3xz.mongodb.net',
    'mysql.lagerwerk.de',
  ]);

export const SECRETS: readonly Maker[] = [
  ['OpenAI project key', (d) => `OPENAI_API_KEY=sk-proj-${d.text('base64url', 74)}T3BlbkFJ${d.text('base64url', 74)}`],
  ['OpenAI older key', (d) => `OPENAI_API_KEY=sk-${d.text('alnum', 20)}T3BlbkFJ${d.text('alnum', 20)}`],
  ['Anthropic', (d) => `ANTHROPIC_API_KEY=sk-ant-api03-${d.text('base64url', 93)}AA`],
  [
    'AWS access key id and secret',
    (d) => `aws_access_key_id = AKIA${d.text('base32', 16)}\naws_secret_access_key = ${d.text('base64', 40)}`,
  ],
  ['AWS secret alone', (d) => `AWS_SECRET_ACCESS_KEY=${d.text('base64', 40)}`],
  ['GitHub classic token', (d) => `GITHUB_TOKEN=ghp_${d.text('alnum', 36)}`],
  ['GitHub fine-grained token', (d) => `GH_TOKEN=github_pat_${d.text('alnum', 22)}_${d.text('alnum', 59)}`],
  ['GitLab', (d) => `CI_PUSH_TOKEN=glpat-${d.text('base64url', 20)}`],
  ['Slack bot token', (d) => `SLACK_TOKEN=xoxb-${d.text('digits', 12)}-${d.text('digits', 13)}-${d.text('alnum', 24)}`],
  [
    'Slack webhook',
    (d) =>
      `SLACK_URL=https://hooks.slack.com/services/T${d.text('base32', 10)}/B${d.text('base32', 10)}/${d.text('alnum', 24)}`,
  ],
  ['Stripe', (d) => `STRIPE_SECRET=${d.pick(['sk', 'rk'])}_live_51${d.text('alnum', 97)}`],
  ['Stripe older key', (d) => `STRIPE_SECRET=sk_live_${d.text('alnum', 24)}`],
  ['Google API', (d) => `MAPS_KEY=AIza${d.text('base64url', 35)}`],
  ['Hugging Face', (d) => `HF_TOKEN=hf_${d.text('letters', 34)}`],
  ['SendGrid', (d) => `SENDGRID_KEY=SG.${d.text('base64url', 22)}.${d.text('base64url', 43)}`],
  ['Twilio', (d) => `TWILIO_API_KEY=SK${d.text('hex', 32)}\nTWILIO_API_SECRET=${d.text('alnum', 32)}`],
  ['npm', (d) => `//registry.npmjs.org/:_authToken=npm_${d.text('alnum', 36)}`],
  [
    'Azure storage',
    (d) =>
      `DefaultEndpointsProtocol=https;AccountName=belege${d.text('digits', 2)};AccountKey=${d.text('base64', 86)}==;EndpointSuffix=core.windows.net`,
  ],
  ['DigitalOcean', (d) => `DO_TOKEN=dop_v1_${d.text('hex', 64)}`],
  ['Telegram bot', (d) => `BOT_TOKEN=${d.between(1, 7)}${d.text('digits', 9)}:AA${d.text('base64url', 33)}`],
  ['Shopify', (d) => `SHOPIFY_TOKEN=shpat_${d.text('hex', 32)}`],
  ['PyPI', (d) => `TWINE_PASSWORD=pypi-AgEIcHlwaS5vcmc${d.text('base64url', 150)}`],
  ['Databricks', (d) => `DATABRICKS_TOKEN=dapi${d.text('hex', 32)}`],
  ['RSA private key', (d) => toPem(d, 'RSA PRIVATE KEY', 25)],
  ['OpenSSH private key', (d) => toPem(d, 'OPENSSH PRIVATE KEY', 6)],
  [
    'private key in JSON',
    (d) => JSON.stringify({ type: 'service_account', private_key: `${toPem(d, 'PRIVATE KEY', 20)}\n` }),
  ],
  ['EC private key', (d) => toPem(d, 'EC PRIVATE KEY', 3)],
  ['signed token', toToken],
  ['signed token in a cookie', (d) => `Set-Cookie: session=${toToken(d)}; HttpOnly; Path=/`],
  [
    'PostgreSQL URL',
    (d) =>
      `DATABASE_URL=postgres://${d.pick(['app', 'shop_rw', 'billing'])}:${d.text('alnum', 14)}@${toHost(d)}:5432/shop`,
  ],
  ['MongoDB URL', (d) => `MONGO=mongodb+srv://svc-orders:${d.text('alnum', 16)}@${toHost(d)}/orders?retryWrites=true`],
  ['MySQL URL', (d) => `mysql://root:${d.text('alnum', 10)}!${d.text('digits', 2)}@${toHost(d)}:3306/crm`],
  ['Redis URL', (d) => `REDIS_URL=redis://:${d.text('alnum', 32)}@${toHost(d)}:6379/0`],
  ['bearer header', (d) => `Authorization: Bearer ${d.text('base64url', 48)}`],
  ['bearer header with a signed token', (d) => `Authorization: Bearer ${toToken(d)}`],
  ['basic header', (d) => `Authorization: Basic ${toBase64(`deploy:${d.text('alnum', 18)}`)}`],
];

/** Talks in which a credential slips in, and who says it. */
export const SECRET_TALKS: readonly (readonly [question: string, answer: string])[] = [
  [
    'The deploy fails with 401 since this morning. This is what the job prints:\n\n{secret}\n\nWhat is wrong?',
    'The service does not accept this credential any more. Make a new one, store it in the secrets of the pipeline and take it out of the log.',
  ],
  [
    'How do I run the importer on my own machine?',
    'Put these lines into a file named .env beside the compose file, then start it with make dev:\n\n{secret}',
  ],
  [
    'Can you turn this snippet into a config file with comments?\n{secret}',
    'Yes. One setting a line, and a comment above each of them that says where its value comes from.',
  ],
  [
    'my collegue sent me this to test the staging system, where does it go??\n\n{secret}',
    'It belongs into the environment of the worker, not into the repository. Restart the worker when you have set it.',
  ],
  [
    'Write a short runbook for the nightly export.',
    '1. Log in to the jump host.\n2. Export the variables of the job:\n{secret}\n3. Start export.sh and wait for the line "done".',
  ],
  [
    'Why does the first request work and the second one does not?\n\n```\ncurl -s https://api.vellmar-retail.com/v2/orders \\\n  -H "{secret}"\n```',
    'The second call lacks the header, because the function builds its options anew. Pass the same options to both calls.',
  ],
  [
    'Here is a line of our log, please explain it: INFO boot config loaded {secret} workers=4',
    'The service has read its configuration and starts four workers. The value should not be printed there.',
  ],
  [
    'Which settings does the mailer of the web shop need?',
    'Three of them: host, port and the credential. In production they are: host mail.lagerwerk.de, port 587, and\n{secret}',
  ],
];

const PNG_HEAD = 'iVBORw0KGgoAAAANSUhEUgAAA';

/** What looks like a credential and opens nothing: question and answer. */
export const SECRET_DECOYS: readonly (readonly [
  what: string,
  question: (draw: Draw) => string,
  answer: (draw: Draw) => string,
])[] = [
  [
    'order number of 20 digits',
    (d) => `Where is my parcel? The number on the slip is ${d.text('digits', 20)}.`,
    () => 'It left our warehouse last night and arrives tomorrow before noon.',
  ],
  [
    'reference of 40 digits',
    (d) => `The bank asks for the reference ${d.text('digits', 40)}, is that yours?`,
    () => 'Yes, that is the reference of your monthly payment to us.',
  ],
  [
    'tracking code',
    (d) => `Tracking says 1Z${d.text('base32', 6)}${d.text('digits', 10)} is unknown.`,
    () => 'New codes are visible after the first scan. Please try again in the evening.',
  ],
  [
    'commit',
    (d) => `Which commit broke the build, ${d.text('hex', 40)} or the one before?`,
    () => 'That one: it renames the module, and the test still imports the old name.',
  ],
  [
    'short and long commit',
    (d) => `git bisect says ${d.text('hex', 40)} is the first bad commit.`,
    (d) => `Then revert it with git revert ${d.text('hex', 7)} and add a test for the case.`,
  ],
  [
    'SHA-256 of a file',
    (d) => `Is the download fine? sha256sum prints ${d.text('hex', 64)}`,
    () => 'Compare it with the sum on the release page. If all 64 digits agree, the file is whole.',
  ],
  [
    'MD5 as an ETag',
    (d) => `The server answers with ETag: "${d.text('hex', 32)}". What is it for?`,
    () => 'It names the version of the file. Send it back in If-None-Match and you get 304 when nothing changed.',
  ],
  [
    'UUID',
    (d) => `Delete the job ${toUuid(d)} please.`,
    () => 'Done. It was still waiting, so nothing has to be undone.',
  ],
  [
    'several UUIDs',
    (d) => `Compare tenant ${toUuid(d)} with tenant ${toUuid(d)}.`,
    () => 'The first has the older plan, the second pays per seat. All other settings agree.',
  ],
  [
    'image as base64',
    (d) => `Why is this icon not shown? <img src="data:image/png;base64,${PNG_HEAD}${d.text('base64', 180)}=">`,
    () => 'The end of the data is cut off. Encode the file again without line breaks.',
  ],
  [
    'integrity of a lock file',
    (d) => `npm ci stops: integrity sha512-${d.text('base64', 86)}== does not match.`,
    () => 'Somebody published the package anew. Remove the entry from the lock file and install again.',
  ],
  [
    'sk- in ordinary words',
    () => 'Is this a good title: "Risk-averse task-switching in help-desk-driven disk-maintenance-organisations"?',
    () => 'It is long. "Why help desks avoid risk" says the same.',
  ],
  [
    'sk- in class names',
    () => 'What styles do sk-container-representation-wrapper and sk-estimator-documentation-link-fitted have?',
    () => 'They come from the diagram that scikit-learn draws of a pipeline: a flex box, and a small round link.',
  ],
  [
    'sk- with words only',
    () => 'My package is called sk-learning-curves-for-small-datasets, may I upload it?',
    () => 'Yes, the name is free. Names that begin with sk are not reserved.',
  ],
  [
    'placeholder YOUR_API_KEY',
    () => 'How do I call the API with curl?',
    () => 'curl https://api.openai.com/v1/models -H "Authorization: Bearer YOUR_API_KEY"',
  ],
  [
    'placeholder in angle brackets',
    () => 'Which header does the gateway want?',
    () => 'Authorization: Bearer <token>, where <token> is the one from your profile page.',
  ],
  [
    'placeholder with dots',
    () => 'What does a key look like?',
    () =>
      'It begins with sk-..., a service account has sk-svcacct-..., and keys of the other vendor begin with sk-ant-api03-...',
  ],
  [
    'placeholder of x',
    (d) => `Fill in the template for me: OPENAI_API_KEY=sk-${'x'.repeat(d.between(24, 48))}`,
    () => 'Replace the x by your own key; the line itself is right.',
  ],
  [
    'placeholder token of x',
    (d) => `In the docs I read ghp_${'x'.repeat(36)} and hf_${'x'.repeat(d.between(20, 34))}. Real?`,
    () => 'No, both only show where yours goes.',
  ],
  [
    'documented AWS example',
    () => 'Is AKIAIOSFODNN7EXAMPLE with wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY usable?',
    () => 'No, these are the two examples of the AWS handbook.',
  ],
  [
    'variable of the environment',
    () => 'Is this right? const client = new OpenAI({ apiKey: process.env.OPENAI_API_KEY });',
    () => 'Yes. The client even reads that variable by itself.',
  ],
  [
    'secret of a pipeline by its name',
    () => 'Review: env: NPM_TOKEN: ${{ secrets.NPM_TOKEN }} and GH_TOKEN: ${{ secrets.GITHUB_TOKEN }}',
    () => 'Fine. Neither of them appears in the log.',
  ],
  [
    'bearer with a shell variable',
    () => "Why does -H 'Authorization: Bearer $ACCESS_TOKEN' give 401?",
    () => 'Single quotes keep the shell from replacing $ACCESS_TOKEN. Use double quotes.',
  ],
  [
    'URL without a password',
    () => 'Does postgres://localhost:5432/shop work without a user?',
    () => 'Yes, the server then takes the name of your system user.',
  ],
  [
    'URL with placeholders',
    () => 'What is the form of DATABASE_URL?',
    () => 'postgres://user:password@host:5432/dbname, or postgresql://USERNAME:PASSWORD@localhost/mydb',
  ],
  [
    'URL with variables',
    () => 'Is mongodb+srv://${DB_USER}:${DB_PASS}@${DB_HOST}/orders replaced by compose?',
    () => 'Yes, if the three variables stand in the .env file.',
  ],
  [
    'public key',
    (d) => `Add my key, please: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.text('base64', 43)} build@runner`,
    () => 'It is added. You can push in a minute.',
  ],
  [
    'public key block',
    (d) => `What is this?\n${toPem(d, 'PUBLIC KEY', 6)}`,
    () => 'A public key. Everybody may see it; it only checks signatures.',
  ],
  [
    'certificate',
    (d) => `When does it expire?\n${toPem(d, 'CERTIFICATE', 14)}`,
    () => 'Run openssl x509 -noout -enddate on the file, it prints the day.',
  ],
  [
    'private key left out',
    () => 'What must the file contain?',
    () => 'The whole block:\n-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\nwith its line breaks.',
  ],
  [
    'publishable Stripe key',
    (d) => `May pk_live_51${d.text('alnum', 97)} be in the page?`,
    () => 'Yes, keys that begin with pk are made to be seen.',
  ],
  [
    'digest of an image',
    (d) => `FROM node:20-slim@sha256:${d.text('hex', 64)} - why the long tail?`,
    () => 'It pins the image by its content, so that nobody can change it behind the tag.',
  ],
  [
    'trace id',
    (d) => `The request x-request-id: ${d.text('hex', 32)} took nine seconds.`,
    () => 'Of these, eight were spent waiting for the stock service.',
  ],
  [
    'long identifiers',
    () => 'Rename AbstractCustomerNotificationPreferenceRepositoryFactoryBean to something shorter?',
    () => 'NotificationSettings is enough: where it comes from says the rest.',
  ],
  [
    'client id of Google',
    (d) => `Can others see ${d.text('digits', 12)}-${d.text('lower', 32)}.apps.googleusercontent.com?`,
    () => 'Yes, and that is fine: the client id is public, the client secret is not.',
  ],
  [
    'token word without one',
    () => 'How many tokens does "Authorization: Bearer" cost in the prompt?',
    () => 'Four or five, depending on the tokenizer.',
  ],
  [
    'JWT cut off',
    () => 'My token starts with eyJhbGciOiJIUzI1NiIs... Is it signed?',
    () => 'By its start it says HS256, so yes. Never post the rest of it.',
  ],
  [
    'licence code of a game shelf',
    (d) => `The shelf code is LK-${d.text('digits', 4)}-${d.text('digits', 4)}-${d.text('digits', 4)}.`,
    () => 'That is shelf 4 in the second hall, on the left.',
  ],
  [
    'base64 of a sentence',
    () => 'Decode SGVsbG8sIHRoaXMgaXMgb25seSBhIGdyZWV0aW5nIGZyb20gdGhlIHdhcmVob3VzZSE= for me',
    () => 'It says: Hello, this is only a greeting from the warehouse!',
  ],
  [
    'content hash in a file name',
    (d) => `Cache main.${d.text('hex', 20)}.js and vendor.${d.text('hex', 20)}.css for ever?`,
    () => 'Yes, the name changes with the content.',
  ],
];

function toUuid(draw: Draw): string {
  return [8, 4, 4, 4, 12].map((length) => draw.text('hex', length)).join('-');
}
