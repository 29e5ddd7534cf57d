/**
 * Numbers of the plan that the United States, Canada and much of the Caribbean share (+1). New area codes open every
 * few months, before the numbering-plan library knows them, so a number with the right format is accepted.
 * Browser-safe.
 */

/**
 * Area code and exchange have three digits that begin with 2 to 9; neither ends in 11, and the second digit of an area
 * code isn't 9.
 */
const FORM = /^\+1(?!\d11)[2-9][0-8]\d(?!\d11)[2-9]\d{6}$/;

export const hasNorthAmericanPhoneFormat = (e164: string): boolean => FORM.test(e164);

/**
 * US area codes opened or announced since 2023 that the library doesn't know. Listed one by one, because an unknown
 * area code could also belong to another country, where texts cost more.
 */
const NEW_IN_US = new Set('357 436 457 465 471 483 565 621 624 679 729 837 861 924'.split(' '));

export const hasNewUnitedStatesAreaCode = (e164: string): boolean =>
  hasNorthAmericanPhoneFormat(e164) && NEW_IN_US.has(e164.slice(2, 5));
