/** The review of one interview: its state, place in the queue, and comments. */
import { Button, Group, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../../session/session.tsx';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import type { ListOf, Survey, SurveyComment } from '../../../wire.ts';
import { sendChange } from '../../kit/actions/send.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { KeyHint } from '../../kit/buttons/key-hint.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { usePersonName } from '../../people/person-names.ts';
import { commentsPath } from '../survey-paths.ts';
import { ReviewDecisions } from './review-decisions.tsx';
import { useReviewQueue } from './review-queue.ts';
import { ReviewTag } from './review-tag.tsx';

const MAX_COMMENT = 2_000;

export function SurveyReviewCard({ survey }: { survey: Survey }) {
  const { t, moment, number } = useDashboardText();
  const personOf = usePersonName();
  const { state, by, at } = survey.review;
  const mayReview = useMay('review', 'Survey', survey);
  const queue = useReviewQueue(survey);
  return (
    <Card heading={t('review.title')}>
      <Group gap="sm" mt="xs">
        <ReviewTag state={state} />
        {at ? (
          <Text size="sm" c="dimmed" component="span">
            {moment(at)} · {personOf(by)}
          </Text>
        ) : null}
      </Group>
      {survey.note ? (
        <Text mt="sm" className="own-lines" component="div">
          <b>{t('review.note')}</b> <bdi>{survey.note}</bdi>
        </Text>
      ) : null}
      {mayReview && survey.status === 'COMPLETED' ? (
        <ReviewDecisions survey={survey} next={queue?.next} />
      ) : null}
      {queue === undefined ? null : (
        <Text mt="sm" role="status" component="div">
          {queue.next ? (
            <Button
              component={Link}
              size="md"
              px="sm"
              variant={state === 'RECEIVED' ? 'default' : 'filled'}
              {...queue.next}
              aria-keyshortcuts="n"
              rightSection={<KeyHint letter="n" />}
            >
              {t('review.next')}
            </Button>
          ) : (
            t('review.noNext')
          )}
          {queue.place ? (
            <Text component="span" c="dimmed" ms="sm">
              {t('review.place', {
                position: number(queue.place.position),
                total: number(queue.place.total),
              })}
            </Text>
          ) : null}
        </Text>
      )}
      <Comments survey={survey} />
    </Card>
  );
}

function Comments({ survey }: { survey: Survey }) {
  const { t, app, moment } = useDashboardText();
  const personOf = usePersonName();
  const path = commentsPath(survey.id);
  const [limit, setLimit] = useState(20);
  const query = useGet<ListOf<SurveyComment>>(`${path}?limit=${limit}`);
  const [text, setText] = useState('');
  const { submit, busy, error } = useSubmit(async () => {
    await sendChange('POST', path, { text });
    setText('');
  });
  const line = ({ id, by, at, state, text: comment }: SurveyComment): ReactNode => (
    <li key={id} style={{ display: 'block' }}>
      <Text size="sm" c="dimmed" component="div">
        {moment(at)} · {personOf(by)}
        {state ? ` · ${app(`review.${state}`)}` : ''}
      </Text>
      <Text component="div" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {comment}
      </Text>
    </li>
  );
  return (
    <>
      <FormError error={query.error} />
      <ul className="rows survey-list">{query.data?.data.map(line)}</ul>
      {query.data?.nextCursor && limit < 200 ? (
        <PlainButton label={t('review.allComments')} variant="subtle" onClick={() => setLimit(200)} />
      ) : null}
      <form onSubmit={submit} noValidate>
        <Textarea
          mt="sm"
          autosize
          minRows={1}
          label={t('review.comment')}
          maxLength={MAX_COMMENT}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <FormError error={error} />
        <PlainButton
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
