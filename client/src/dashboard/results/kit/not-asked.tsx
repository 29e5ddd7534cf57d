/** How many people weren't asked a question, because their questionnaire version doesn't have it. */
import { useResultsPageText } from '../results-text.ts';
import { useFigureFormatters } from './format-figures.ts';

/** `question`: its name, on pages with several questions. */
export function NotAskedCount({ people, question }: { people: number; question?: string }) {
  const { t } = useResultsPageText();
  const number = useFigureFormatters('CATEGORY').count(people);
  if (people === 0) return null;
  return (
    <p className="note">{question ? t('notAskedOf', { number, question }) : t('notAsked', { number })}</p>
  );
}
