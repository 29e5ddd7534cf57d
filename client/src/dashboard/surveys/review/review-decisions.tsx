/** A reviewer's decision on one interview, by button or key. The next interview in the queue then opens. */
import { Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ifMatchHeader, request } from '../../../session/api.ts';
import { useProblemText } from '../../../session/problem-text.ts';
import { useUser } from '../../../session/session.tsx';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import type { Survey } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { useToast } from '../../kit/actions/use-actions.ts';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import { KeyHint } from '../../kit/buttons/key-hint.tsx';
import { letterShortcutOf } from '../../kit/buttons/letter-keys.ts';
import { refreshAndThrow } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { RejectionIncentives } from '../../payments/rejection-incentives.tsx';
import { usePersonName } from '../../people/person-names.ts';
import { useAnswersInWords } from '../answers-in-words.ts';
import { surveyApiPath } from '../survey-paths.ts';
import { cacheReviewed } from './cache-reviewed.ts';
import { type NextReviewLink, useLinkToThisPage } from './review-queue.ts';

const DECISIONS = [
  ['APPROVED', 'a'],
  ['HAS_ISSUES', 's'],
  ['REJECTED', 'r'],
] as const;
type Decision = (typeof DECISIONS)[number][0];
const MAX_COMMENT = 2_000;

interface DecisionsProps {
  survey: Survey;
  /** The next interview waiting for review. */
  next: NextReviewLink | null | undefined;
}

export function ReviewDecisions({ survey, next }: DecisionsProps) {
  const { t } = useDashboardText();
  const now = survey.review.state;
  const [asking, setAsking] = useState<Decision | null>(null);
  const { decide, isDeciding, goOn } = useDecide(survey, next);
  const approve = useSubmit(() => decide('APPROVED'));
  const begin = (state: Decision) => {
    if (isDeciding() || (state === 'APPROVED' && now === 'APPROVED')) return;
    // Asks before changing an existing decision.
    if (state === 'APPROVED' && now === 'RECEIVED') approve.submit();
    else setAsking(state);
  };
  useKeys(survey, begin, goOn);
  return (
    <>
      <Group gap="xs" mt="sm">
        {DECISIONS.map(([state, key]) => (
          <Button
            key={state}
            size="md"
            px="sm"
            // Not highlighted once there is a decision.
            variant={state === 'APPROVED' && now === 'RECEIVED' ? 'filled' : 'default'}
            aria-keyshortcuts={key}
            rightSection={<KeyHint letter={key} />}
            loading={state === 'APPROVED' && approve.busy}
            onClick={() => begin(state)}
            {...inactiveProps(state === 'APPROVED' && now === 'APPROVED')}
          >
            {t(`review.to.${state}`)}
          </Button>
        ))}
      </Group>
      {now === 'APPROVED' ? null : <FormError error={approve.error} />}
      {asking ? (
        <Dialog
          title={t(`review.to.${asking}`)}
          text={<Consequences survey={survey} to={asking} />}
          yes={t(`review.to.${asking}`)}
          {...(asking === 'APPROVED'
            ? {}
            : { reason: { what: t('review.reasonWhat'), required: true, most: MAX_COMMENT } })}
          onYes={(comment) => decide(asking, asking === 'APPROVED' ? undefined : comment)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}

/** The decision being replaced, and what follows. */
function Consequences({ survey, to }: { survey: Survey; to: Decision }) {
  const { t, moment } = useDashboardText();
  const personOf = usePersonName();
  const { state, by, at } = survey.review;
  return (
    <>
      {state === 'RECEIVED' || !at ? null : (
        <Text mb="xs">
          {by === null
            ? t('review.alreadyByCommand', { at: moment(at) })
            : t(`review.already.${state}`, { name: personOf(by), at: moment(at) })}
        </Text>
      )}
      {to === 'APPROVED' ? null : t(`review.what.${to}`)}
      {to === 'REJECTED' && state !== 'REJECTED' ? <RejectionIncentives survey={survey} /> : null}
      {state === 'REJECTED' && to !== 'REJECTED' ? t('review.countsAgain') : null}
    </>
  );
}

/** Sends a decision, shows a toast with an undo button, and opens the next interview. */
function useDecide(survey: Survey, next: NextReviewLink | null | undefined) {
  const { t } = useDashboardText();
  const navigate = useNavigate();
  const toast = useToast();
  const { id: owner } = useUser();
  const takeBack = useUndoReview(survey);
  const deciding = useRef(false);
  const goOn = () => {
    // Not while a decision is being sent: nobody would see an error.
    if (next && !deciding.current) void navigate(next.to, { state: next.state });
  };
  const decide = async (state: Decision, comment?: string) => {
    deciding.current = true;
    const headers = ifMatchHeader(survey.version);
    const path = `${surveyApiPath(survey.id)}/review`;
    const reviewed = await request<Survey>('POST', path, { body: { state, comment }, headers }).catch(
      (error) => {
        deciding.current = false;
        return refreshAndThrow(error);
      },
    );
    // Until the next interview is shown, keys still refer to this one.
    deciding.current = Boolean(next);
    toast({ text: t(`review.done.${state}`), undo: () => void takeBack(reviewed) });
    cacheReviewed(owner, reviewed, comment !== undefined);
    if (next) void navigate(next.to, { state: next.state });
  };
  return { decide, isDeciding: () => deciding.current, goOn };
}

/** Undoes the decision, and returns to its interview. */
function useUndoReview(survey: Survey): (reviewed: Survey) => Promise<void> {
  const { t } = useDashboardText();
  const problem = useProblemText();
  const navigate = useNavigate();
  const toast = useToast();
  const { id: owner } = useUser();
  const wayBack = useLinkToThisPage(survey);
  return async ({ id, version }) => {
    try {
      const path = `${surveyApiPath(id)}/review/undo`;
      const restored = await request<Survey>('POST', path, { headers: ifMatchHeader(version) });
      cacheReviewed(owner, restored, false);
      toast(t('review.undone'));
      const { to, state } = wayBack();
      await navigate(to, { state });
    } catch (error) {
      toast({ text: problem(error), bad: true });
    }
  };
}

/** A, S, and R decide; N opens the next one. Ignored until the answers are visible, and while a key is held down. */
function useKeys(survey: Survey, begin: (state: Decision) => void, goOn: () => void): void {
  const { lines } = useAnswersInWords(survey.id);
  const canBeRead = lines !== undefined || survey.erasedAt !== undefined;
  useWindowEvent('keydown', (event) => {
    const key = letterShortcutOf(event);
    const decision = DECISIONS.find(([, letter]) => letter === key)?.[0];
    // Keeps the letter out of the field that opens.
    if (decision) event.preventDefault();
    if (event.repeat) return;
    if (decision && canBeRead) begin(decision);
    else if (key === 'n') goOn();
  });
}
