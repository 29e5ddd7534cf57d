/** Questions and their answers in words, one below the other. */
import './answer-list.css';
import { useTranslation } from 'react-i18next';
import type { Line } from './survey-model.ts';

export function AnswerList({ lines }: { lines: Line[] }) {
  const { t } = useTranslation();
  return (
    <dl className="answer-list">
      {lines.map(({ name, title, answer }) => (
        <div key={name} className="row">
          <dt>{title}</dt>
          <dd>{answer || t('workItem.noAnswer')}</dd>
        </div>
      ))}
    </dl>
  );
}
