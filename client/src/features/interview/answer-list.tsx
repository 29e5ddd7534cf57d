/** Questions and their answers in words, one below the other. */
import './answer-list.css';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icon.tsx';
import type { Line } from './survey-model.ts';

interface AnswerListProps {
  lines: Line[];
  /** Where answers can be corrected: a tap on one is for that. */
  onCorrect?: ((name: string) => void) | undefined;
}

export function AnswerList({ lines, onCorrect }: AnswerListProps) {
  const { t } = useTranslation();
  return (
    <dl className="answer-list">
      {lines.map(({ name, title, answer }) => (
        <div key={name} className="row">
          <dt id={`asked-${name}`}>{title}</dt>
          <dd>
            {onCorrect ? (
              <button
                type="button"
                className="answer-button"
                aria-describedby={`asked-${name}`}
                onClick={() => onCorrect(name)}
              >
                <span>{answer || t('workItem.noAnswer')}</span>
                <span className="hidden-text">{t('workItem.correctThis')}</span>
                <Icon name="next" size={20} />
              </button>
            ) : (
              answer || t('workItem.noAnswer')
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
