/** Two interviews that presented the same coupon: facts about each, and the answers that differ. */
import '../survey.css';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { interviewTimeOf } from '../../../phone/work/interview-date.ts';
import { useLocationName } from '../../../session/records.ts';
import { FormError } from '../../../ui/form.tsx';
import type { Line, Survey } from '../../../wire.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { usePersonName } from '../../people/person-names.ts';
import { useAnswersInWords } from '../answers-in-words.ts';
import { numberText, Recruiter } from '../survey-recruitment.tsx';

interface SidesProps {
  survey: Survey;
  /** The interview that has the coupon now. */
  first: Survey;
  /** Its column heading. */
  head: string;
}

/** Number of differing answers shown before expanding. */
const DIFFERENCES_SHOWN = 5;

type Row = [name: string, here: React.ReactNode, there: React.ReactNode];

export function SurveysSideBySide({ survey, first, head }: SidesProps) {
  const { t, language, number, moment } = useDashboardText();
  const siteOf = useLocationName();
  const personOf = usePersonName();
  const both = (name: string, of: (one: Survey) => React.ReactNode): Row => [name, of(survey), of(first)];
  const facts: Row[] = [
    both(t('surveys.held'), (one) => moment(interviewTimeOf(one))),
    both(t('surveys.arrivedWord'), ({ createdAt }) => moment(createdAt)),
    both(t('common.site'), ({ location }) => siteOf(location)),
    both(t('surveys.interviewer'), ({ createdBy }) => personOf(createdBy)),
    both(t('surveys.recruiter'), (one) =>
      one.referralCode ? <Recruiter survey={one} /> : t('surveys.recruiterUnknown'),
    ),
    both(t('surveys.networkSize'), ({ networkSize }) => numberText(networkSize, language) || '–'),
  ];
  const { answers, lost } = useDifferences(survey, first);
  const [all, setAll] = useState(false);
  const visibleAnswers = all ? answers : answers?.slice(0, DIFFERENCES_SHOWN);
  return (
    <>
      <div className="survey-two">
        <table aria-label={t('surveys.sideBySide')}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('surveys.thisOne')}</th>
              <th scope="col">
                <Link to={`/desk/surveys/${first.id}`} className="tall-link">
                  {head}
                </Link>
              </th>
            </tr>
          </thead>
          <tbody>
            {[...facts, ...(visibleAnswers ?? [])].map(([name, here, there]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-head={t('surveys.thisOne')}>{here}</td>
                <td data-head={head}>{there}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answers && visibleAnswers && answers.length > visibleAnswers.length ? (
        <PlainButton
          label={t('surveys.allDiffering', { shown: number(answers.length) })}
          size="md"
          mt="sm"
          onClick={() => setAll(true)}
        />
      ) : null}
      {answers ? null : <FormError error={lost} />}
      {answers?.length === 0 ? <Text c="dimmed">{t('surveys.sameAnswers')}</Text> : null}
    </>
  );
}

/** No rows until both interviews' answers have loaded. */
function useDifferences(survey: Survey, first: Survey): { answers?: Row[]; lost: unknown } {
  const { app } = useDashboardText();
  const [our, their] = [useAnswersInWords(survey.id), useAnswersInWords(first.id)];
  const [ours, theirs, lost] = [our.lines, their.lines, our.error ?? their.error];
  if (!ours || !theirs) return { lost };
  const byName = (lines: Line[]) => new Map(lines.map((line): [string, Line] => [line.name, line]));
  const [here, there] = [byName(ours), byName(theirs)];
  const answers = [...new Set([...here.keys(), ...there.keys()])].flatMap((name): Row[] => {
    const [mine, other] = [here.get(name), there.get(name)];
    if ((mine?.answer ?? '') === (other?.answer ?? '')) return [];
    const none = app('workItem.noAnswer');
    return [[mine?.title ?? other?.title ?? '', mine?.answer || none, other?.answer || none]];
  });
  return { answers, lost };
}
