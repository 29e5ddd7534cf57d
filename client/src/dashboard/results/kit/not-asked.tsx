/** How many people a question was not put to, because their version of the questionnaire doesn't have it. */
import { useResultsText } from '../results-text.ts';
import { useFigures } from './format-figures.ts';

/** `question`: where the page is about several. */
export function NotAsked({ people, question }: { people: number; question?: string }) {
  const { t } = useResultsText();
  const number = useFigures('CATEGORY').count(people);
  if (people === 0) return null;
  return (
    <p className="note">{question ? t('notAskedOf', { number, question }) : t('notAsked', { number })}</p>
  );
}
