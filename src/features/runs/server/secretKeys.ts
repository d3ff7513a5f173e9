// Settings that may be secrets are never read into evidence, so that no answer, export or log can hold them.

const SECRET = /(?:^|[_\-.\s])(?:token|key|secret|password|passwd|credential|credentials|auth)s?$/i;
/** End like a secret's name, and are none. */
const HARMLESS =
  /(?:^|[_\-.])(?:eos|bos|pad|unk|image|special|num|max|min|new|sep|cls|mask|stop|chat|group|sort|primary|foreign|label|metric|lora|prng|input|output|prompt|response|chosen|rejected|messages|images|videos|tools|reward_fn)_?(?:token|key|tokens|keys)$/i;

/** Whether the value of a setting with this name must not be kept. */
export const isSecretKey = (name: string): boolean => SECRET.test(name) && !HARMLESS.test(name);
