/** The review of one interview: its state, comments, and the reviewer's decision. */
import { Button, Group, Text, Textarea } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ifVersion, request } from '../../api.ts';
import { DeskButton } from '../../desk/desk-button.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { idleWhile } from '../../desk/idle-button.ts';
import { KeyHint } from '../../desk/key-hint.tsx';
import { letterKey } from '../../desk/letter-keys.ts';
import { useToast } from '../../desk/use-actions.ts';
import { refreshAndThrow, refreshDesk, useGet } from '../../desk/use-list.tsx';
import { useMay, useUser } from '../../session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, Survey, SurveyComment } from '../../wire.ts';
import { usePersonName } from '../people/person-names.ts';
import { type NextInQueue, useNextInQueue } from './review-queue.ts';
import { ReviewTag } from './review-tag.tsx';
import { showReviewed } from './show-reviewed.ts';
import { commentsPath, surveyPath } from './survey-paths.ts';

type Decision = 'APPROVED' | 'HAS_ISSUES' | 'REJECTED';
const DECISIONS = [
  ['APPROVED', 'a'],
  ['HAS_ISSUES', 's'],
  ['REJECTED', 'r'],
] as const satisfies [Decision, string][];
const MOST = 2_000;

export function SurveyReview({ survey }: { survey: Survey }) {
  const { t, moment } = useDeskText();
  const personOf = usePersonName();
  const { state, by, at } = survey.review;
  const mayReview = useMay('review', 'Survey', survey);
  const next = useNextInQueue(survey);
  return (
    <Card heading={t('review.title')}>
      <Group gap="sm" mt="xs">
        <ReviewTag state={state} />
        {by && at ? (
          <Text size="sm" c="dimmed" component="span">
            {moment(at)} · {personOf(by)}
          </Text>
        ) : null}
      </Group>
      {mayReview && survey.status === 'COMPLETED' ? <Decisions survey={survey} next={next} /> : null}
      {next === undefined ? null : (
        <Text mt="sm" role="status" component="div">
          {next ? (
            <Button
              component={Link}
              size="md"
              px="sm"
              variant={state === 'RECEIVED' ? 'default' : 'filled'}
              {...next}
              aria-keyshortcuts="n"
              rightSection={<KeyHint letter="n" />}
            >
              {t('review.next')}
            </Button>
          ) : (
            t('review.noNext')
          )}
        </Text>
      )}
      <Comments survey={survey} />
    </Card>
  );
}

interface DecisionsProps {
  survey: Survey;
  /** The next interview that waits for a review. */
  next: NextInQueue | null | undefined;
}

function Decisions({ survey, next }: DecisionsProps) {
  const { t } = useDeskText();
  const toast = useToast();
  const { id: owner } = useUser();
  const now = survey.review.state;
  const [asking, setAsking] = useState<Exclude<Decision, 'APPROVED'> | null>(null);
  const decide = async (state: Decision, comment?: string) => {
    const headers = ifVersion(survey.version);
    const path = `${surveyPath(survey.id)}/review`;
    const reviewed = await request<Survey>('POST', path, { body: { state, comment }, headers }).catch(
      refreshAndThrow,
    );
    toast(t(`review.done.${state}`));
    showReviewed(owner, reviewed, comment !== undefined);
  };
  const { goOn, goOnAfter } = useGoOn(next);
  const approve = useSubmit(() => goOnAfter(decide('APPROVED')));
  const begin = (state: Decision) => {
    if (state !== 'APPROVED') setAsking(state);
    else if (now !== 'APPROVED') approve.submit();
  };
  useKeys(begin, goOn);
  return (
    <>
      <Group gap="xs" mt="sm">
        {DECISIONS.map(([state, key]) => (
          <Button
            key={state}
            size="md"
            px="sm"
            // What was decided looks decided: nothing is left to be done first.
            variant={state === 'APPROVED' && now === 'RECEIVED' ? 'filled' : 'default'}
            aria-keyshortcuts={key}
            rightSection={<KeyHint letter={key} />}
            loading={state === 'APPROVED' && approve.busy}
            onClick={() => begin(state)}
            {...idleWhile(state === 'APPROVED' && now === 'APPROVED')}
          >
            {t(`review.to.${state}`)}
          </Button>
        ))}
      </Group>
      {now === 'APPROVED' ? null : <FormError error={approve.error} />}
      {asking ? (
        <Dialog
          title={t(`review.to.${asking}`)}
          text={t(`review.what.${asking}`)}
          yes={t(`review.to.${asking}`)}
          reason={{ what: t('review.reasonWhat'), required: true, most: MOST }}
          onYes={(comment) => decide(asking, comment)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}

/** To the next interview: while a decision is on its way, once it has arrived, since its refusal would be seen by nobody. */
function useGoOn(next: NextInQueue | null | undefined) {
  const navigate = useNavigate();
  const deciding = useRef(false);
  const wanted = useRef(false);
  const goOn = () => {
    wanted.current = deciding.current;
    if (next && !deciding.current) void navigate(next.to, { state: next.state });
  };
  const goOnAfter = async (decision: Promise<void>) => {
    deciding.current = true;
    wanted.current = false;
    await decision.finally(() => {
      deciding.current = false;
    });
    if (wanted.current) goOn();
  };
  return { goOn, goOnAfter };
}

/** A, S and R decide; N goes to the next one. */
function useKeys(begin: (state: Decision) => void, goOn: () => void): void {
  useWindowEvent('keydown', (event) => {
    const key = letterKey(event);
    const decision = DECISIONS.find(([, letter]) => letter === key)?.[0];
    // The letter would be typed into the field that opens.
    if (decision) event.preventDefault();
    if (decision) begin(decision);
    else if (key === 'n') goOn();
  });
}

function Comments({ survey }: { survey: Survey }) {
  const { t, app, moment } = useDeskText();
  const personOf = usePersonName();
  const path = commentsPath(survey.id);
  const [limit, setLimit] = useState(20);
  const asked = useGet<ListOf<SurveyComment>>(`${path}?limit=${limit}`);
  const [text, setText] = useState('');
  const { submit, busy, error } = useSubmit(async () => {
    await request('POST', path, { body: { text } });
    setText('');
    await refreshDesk();
  });
  const line = ({ id, by, at, state, text: said }: SurveyComment): ReactNode => (
    <li key={id} style={{ display: 'block' }}>
      <Text size="sm" c="dimmed" component="div">
        {moment(at)} · {personOf(by)}
        {state ? ` · ${app(`review.${state}`)}` : ''}
      </Text>
      <Text component="div" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {said}
      </Text>
    </li>
  );
  return (
    <>
      <FormError error={asked.error} />
      <ul className="survey-list">{asked.data?.data.map(line)}</ul>
      {asked.data?.nextCursor && limit < 200 ? (
        <DeskButton label={t('review.allComments')} variant="subtle" onClick={() => setLimit(200)} />
      ) : null}
      <form onSubmit={submit} noValidate>
        <Textarea
          mt="sm"
          autosize
          minRows={1}
          label={t('review.comment')}
          maxLength={MOST}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <FormError error={error} />
        <DeskButton
          label={t('review.addComment')}
          mt="sm"
          size="md"
          type="submit"
          loading={busy}
          disabled={text.trim() === ''}
        />
      </form>
    </>
  );
}
