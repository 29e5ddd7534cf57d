/**
 * A questionnaire may quote an answer in markup: `<b>You said {name}</b>`. The form library would insert the answer as
 * markup too. Here the answer is plain text, and only formatting tags remain of the markup.
 */
import DOMPurify from 'dompurify';
import { type Model, QuestionHtmlModel } from 'survey-core';
import { PLAIN_TAGS } from '../../../../../src/questionnaires/definition/definition-safety.ts';

const ALLOWED = { ALLOWED_TAGS: [...PLAIN_TAGS], ALLOWED_ATTR: ['class', 'lang', 'dir'] };
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
};

const asText = (value: string) => value.replace(/[&<>"'{]/g, (one) => ENTITIES[one] ?? one);

/** Each quotation by itself, so that what comes in its place is known to be an answer. */
function quoted(html: string, answerTo: (quotation: string) => string): string {
  return html.replace(/\{[^{}]+\}/g, (quotation) => {
    const answer = answerTo(quotation);
    return answer === quotation ? quotation : asText(answer);
  });
}

const library = Object.getOwnPropertyDescriptor(QuestionHtmlModel.prototype, 'getProcessedText')?.value as (
  text: string,
) => string;
QuestionHtmlModel.prototype.getProcessedText = function (text: string): string {
  return quoted(text, (one) => library.call(this, one));
};

export function quoteAnswersAsText(model: Model): void {
  model.processHtml = (html) => {
    const filled = quoted(html, (one) => model.processText(one, true));
    // The library comes this way twice: a brace that is left is no quotation.
    return DOMPurify.sanitize(filled, ALLOWED).replaceAll('{', '&#123;');
  };
}

/** What the questionnaire says at the end, as markup. */
export function farewellOf(model: Model): string {
  quoteAnswersAsText(model);
  const own = model.getProcessedText.bind(model);
  model.getProcessedText = (text) => quoted(text, own);
  return model.processedCompletedHtml;
}
