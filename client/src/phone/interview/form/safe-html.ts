/**
 * A questionnaire may quote an answer in markup: `<b>You said {name}</b>`. The forms library would insert the answer
 * as markup too. Here the answer is plain text, and only formatting tags are kept.
 */
import DOMPurify from 'dompurify';
import { type Model, QuestionHtmlModel } from 'survey-core';
import { PLAIN_TAGS } from '../../../../../src/questionnaires/definition/definition-safety.ts';

const SANITIZE_OPTIONS = { ALLOWED_TAGS: [...PLAIN_TAGS], ALLOWED_ATTR: ['class', 'lang', 'dir'] };
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
};

const asText = (value: string) => value.replace(/[&<>"'{]/g, (one) => ENTITIES[one] ?? one);

/** Replaces each quotation separately, so that the answer can be escaped. */
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

export function escapeAnswersInHtml(model: Model): void {
  model.processHtml = (html) => {
    const filled = quoted(html, (one) => model.processText(one, true));
    // The library processes the text twice, and a leftover brace is not a quotation.
    return DOMPurify.sanitize(filled, SANITIZE_OPTIONS).replaceAll('{', '&#123;');
  };
}

/** The questionnaire's closing text, as markup. */
export function farewellOf(model: Model): string {
  escapeAnswersInHtml(model);
  const own = model.getProcessedText.bind(model);
  model.getProcessedText = (text) => quoted(text, own);
  return model.processedCompletedHtml;
}
