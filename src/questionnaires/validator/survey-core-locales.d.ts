/** The form library's words for a language: a file of its own, which adds itself to the library and exports nothing typed. */
declare module 'survey-core/i18n/*';
