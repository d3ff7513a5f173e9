import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readKubeAccess } from './kubeAccess.ts';

const TOKEN = 'account-token';
const folder = mkdtempSync(join(tmpdir(), 'kube-'));
const kubeconfig = join(folder, 'config');
beforeEach(() => writeFileSync(kubeconfig, toConfig({ token: TOKEN })));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const toConfig = (user: object, more: object = {}) =>
  JSON.stringify({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'runs' } }],
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1', ...more } }],
    users: [{ name: 'u', user }],
  });

describe('access', () => {
  const read = (user: object, more?: object) => {
    writeFileSync(kubeconfig, toConfig(user, more));
    return readKubeAccess({ kubeconfig, context: null, namespace: null });
  };

  it('is read from a kubeconfig with files beside it, and from the account of a pod', () => {
    writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
    const data = Buffer.from('PEM').toString('base64');
    const more = { 'certificate-authority-data': data, 'tls-server-name': 'kube' };
    expect(read({ tokenFile: 'token' }, more)).toMatchObject({
      namespace: 'runs',
      token: TOKEN,
      tls: { ca: Buffer.from('PEM'), servername: 'kube' },
    });
    const certificate = { 'client-certificate-data': data, 'client-key-data': data };
    expect(read(certificate)).toMatchObject({ token: null, tls: { cert: Buffer.from('PEM') } });
    for (const [name, text] of [
      ['namespace', 'runs\n'],
      ['ca.crt', 'CA'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };
    expect(readKubeAccess({ kubeconfig: null, context: null, namespace: null }, pod, folder)).toMatchObject({
      server: new URL('https://10.0.0.1:6443'),
      namespace: 'runs',
      token: TOKEN,
      tls: { ca: 'CA' },
    });
  });

  it.each([
    [
      () => read({ exec: { command: 'aws' } }),
      /its user u has `exec`, which is not supported\. Give it the token of a service account/,
    ],
    [() => read({}), /neither a token nor a client certificate/],
    [() => read({ token: 'a' }, { 'proxy-url': 'http://p' }), /proxy-url/],
    [() => read({ token: 'a' }, { server: 'nowhere' }), /clusters\[0\]\.cluster\.server must be an address/],
    [() => readKubeAccess({ kubeconfig, context: 'other', namespace: null }), /it has no context "other"/],
    [
      () => readKubeAccess({ kubeconfig: join(folder, 'none'), context: null, namespace: null }),
      /none can't be read \(ENOENT\)/,
    ],
    [() => readKubeAccess({ kubeconfig: null, context: null, namespace: null }, {}, folder), /needs a `kubeconfig`/],
  ])('that can not be used is refused with what is wrong: %#', (use, message) => {
    expect(use).toThrow(message);
  });
});
