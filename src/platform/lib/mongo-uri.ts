/** What is wrong with a MongoDB URI. The message never quotes the URI, because it may contain a password. */

const WORD = '(?:[^:@/?#[\\]%]|%[0-9a-fA-F]{2})*';
const HOST = '(?:[^:@/?#,[\\]]+|\\[[0-9a-fA-F:.]+\\])(?::\\d{1,5})?';
const OPTION = '[\\w.]+=[^&]*';
const URI_PATTERN = new RegExp(
  `^mongodb(?:\\+srv)?://(?:${WORD}(?::${WORD})?@)?${HOST}(?:,${HOST})*(?:/[^/@?#]*)?(?:\\?(?:${OPTION}(?:&${OPTION})*)?)?$`,
);

export function mongoUriFault(uri: string): string | null {
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) return 'starts with mongodb:// or mongodb+srv://';
  if (URI_PATTERN.test(uri)) return null;
  return uri.includes('@')
    ? 'the user name or the password has a character that means something in an address (such as @ : / ? # %): percent-encode it, for example @ as %40'
    : 'must look like mongodb://user:password@host:27017/database?replicaSet=name';
}
