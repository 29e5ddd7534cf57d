/** Removes invisible characters from names, because they make different names look alike. Browser-safe. */

/** Letters that look like spaces: the empty braille cell and the Korean fillers. */
const INVISIBLE_LETTER = /[\u2800\u115F\u1160\u3164\uFFA0]/u;
const INVISIBLE = /\u034F|[\u00AD\u061C\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF]/gu;
const JOINERS = /[\u200C\u200D]/gu;
const LETTER = /^[\p{L}\p{M}]$/u;
/** Scripts whose letters don't join, so that a joiner between them is invisible. */
const NON_JOINING = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}]$/u;
const EMOJI = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)$/u;

const joins = (character: string) =>
  (LETTER.test(character) && !NON_JOINING.test(character)) || EMOJI.test(character);

/** Keeps joiners where a script needs them (Persian, Hindi) and inside combined emoji. */
export const removeInvisibleCharacters = (name: string): string =>
  name
    .replace(INVISIBLE, '')
    .replace(JOINERS, (mark, at: number, whole: string) => {
      const before = [...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
      const [after = ''] = whole.slice(at + 1, at + 3);
      return joins(before) && joins(after) ? mark : '';
    })
    .trim();

export const hasVisibleCharacters = (name: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(name.replace(new RegExp(INVISIBLE_LETTER, 'gu'), ''));

/** A single line without marks that change the text direction and without letters that look like spaces. */
export const isOneLine = (name: string): boolean =>
  !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(name) && !INVISIBLE_LETTER.test(name);
