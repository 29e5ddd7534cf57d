/** Names without what nobody sees: it would make one name look like another. Safe in a browser. */

/** Blank, without being one of the blanks: a braille cell without dots, and the fillers of Korean. */
const BLANK = /[\u2800\u115F\u1160\u3164\uFFA0]/u;
const UNSEEN = /\u034F|[\u00AD\u061C\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\uFEFF]/gu;
const JOINERS = /[\u200C\u200D]/gu;
const LETTER = /^[\p{L}\p{M}]$/u;
/** Their letters stand alone: a joiner between them changes nothing. */
const STANDS_ALONE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}]$/u;
const PICTURE = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)$/u;

const joins = (character: string) =>
  (LETTER.test(character) && !STANDS_ALONE.test(character)) || PICTURE.test(character);

/** Joiners are left where a script needs them (Persian, Hindi) and in emoji of several parts. */
export const withoutUnseen = (name: string): string =>
  name
    .replace(UNSEEN, '')
    .replace(JOINERS, (mark, at: number, whole: string) => {
      const before = [...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
      const [after = ''] = whole.slice(at + 1, at + 3);
      return joins(before) && joins(after) ? mark : '';
    })
    .trim();

export const showsSomething = (name: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(name.replace(new RegExp(BLANK, 'gu'), ''));

/** One line, without marks that turn the direction of other text and without blanks that pass for letters. */
export const isOneLine = (name: string): boolean =>
  !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(name) && !BLANK.test(name);
