/**
 * The form library's texts in one language: a module that registers itself with the library and exports nothing typed.
 */
declare module 'survey-core/i18n/*';
