/** A version's closing texts and calculated values. */
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { calculatedIn, closingTextsOf } from './build/definition/closing-and-calculated.ts';
import { isLocalizedText, type LocalizedText, textInLanguage } from './questionnaire-outline.ts';
import { type KnownNames, useConditionDescriber } from './questionnaire-question.tsx';

interface WholeProps {
  definition: object;
  knownNames: KnownNames;
}

export function ClosingTextsView({ definition, knownNames }: WholeProps) {
  const { t } = useTranslation('builder');
  const { t: shared, language } = useDashboardText();
  const say = useConditionDescriber(knownNames, Number.POSITIVE_INFINITY);
  const { completedHtml } = definition as { completedHtml?: unknown };
  const closings = closingTextsOf(definition);
  const others = isLocalizedText(completedHtml) && completedHtml !== '' ? completedHtml : null;
  if (closings.length === 0 && others === null) return null;
  const plain = (words: LocalizedText) =>
    textInLanguage(words, language)
      .replace(/<[^>]*>/g, ' ')
      .trim();
  return (
    <Card heading={t('closing.title')}>
      <ul className="versions-questions">
        {closings.map(({ expression, html }, index) => {
          const condition = say(expression);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes
            <li key={index}>
              <div>{html === undefined ? null : plain(html)}</div>
              <div className="note">
                {condition ? shared('versions.shownIf', { condition }) : <code dir="ltr">{expression}</code>}
              </div>
            </li>
          );
        })}
        {others === null ? null : (
          <li>
            <div>{plain(others)}</div>
            <div className="note">{t(closings.length > 0 ? 'closing.others' : 'closing.all')}</div>
          </li>
        )}
      </ul>
    </Card>
  );
}

export function CalculatedValuesView({ definition, knownNames }: WholeProps) {
  const { t } = useTranslation('builder');
  const say = useConditionDescriber(knownNames, Number.POSITIVE_INFINITY);
  const values = calculatedIn(definition);
  if (values.length === 0) return null;
  return (
    <Card heading={t('calculated.title')}>
      <ul className="versions-questions">
        {values.map(({ name, expression }) => {
          const condition = say(expression);
          return (
            <li key={name}>
              <h3 dir="ltr">{name}</h3>
              {condition ? <div>{condition}</div> : null}
              <div className="note">
                <code dir="ltr">{expression}</code>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
