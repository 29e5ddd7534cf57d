/** A list of questions with their answers in words. */
import './answer-list.css';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/icon.tsx';
import type { Line } from '../../../wire.ts';

interface AnswerListProps {
  lines: Line[];
  /** Identity questions, whose answers aren't stored, if `lines` doesn't mark them. */
  identityQuestions?: readonly string[];
  /** Called when an answer is tapped, if answers can be corrected. */
  onCorrect?: ((name: string) => void) | undefined;
}

export function AnswerList({ lines, identityQuestions = [], onCorrect }: AnswerListProps) {
  const { t } = useTranslation();
  const inWords = ({ name, answer, kept: isStored }: Line) =>
    answer ||
    t(isStored === false || identityQuestions.includes(name) ? 'workItem.notKept' : 'workItem.noAnswer');
  return (
    <dl className="answer-list">
      {lines.map((line) => (
        <div key={line.name} className="row">
          <dt id={`asked-${line.name}`}>{line.title}</dt>
          <dd>
            {onCorrect ? (
              <button
                type="button"
                className="answer-button"
                aria-describedby={`asked-${line.name}`}
                onClick={() => onCorrect(line.name)}
              >
                <span>{inWords(line)}</span>
                <span className="hidden-text">{t('workItem.correctThis')}</span>
                <Icon name="next" size={20} />
              </button>
            ) : (
              inWords(line)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
