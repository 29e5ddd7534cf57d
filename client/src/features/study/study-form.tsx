/** All settings of the study in one form; only what was changed is sent, so that two people do not undo each other. */

import { Box, Button, Text, Textarea, TextInput } from '@mantine/core';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { idleWhile } from '../../desk/idle.ts';
import { refreshDesk } from '../../desk/use-list.tsx';
import { useDraft } from '../../edits.ts';
import { keys } from '../../query-keys.ts';
import { queriesNow } from '../../records.ts';
import { refreshSession } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Study } from '../../wire.ts';
import { MissingWords } from './missing-words.tsx';
import { NumberFields, type Settings } from './study-fields.tsx';
import { StudyLanguages } from './study-languages.tsx';
import { StudyOutcomes, StudyResults } from './study-results.tsx';
import { TimeZoneCard } from './time-zone.tsx';

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Devices work with the study's settings too. */
export async function saveStudy(body: Partial<Settings>): Promise<void> {
  await request('PATCH', '/api/study', { body });
  // The rules hold the bounds of today, which go by the study's time zone.
  await Promise.all([
    refreshSession(),
    refreshDesk(),
    queriesNow().invalidateQueries({ queryKey: keys.study }),
  ]);
}

export function StudyForm({ study, onSaved }: { study: Study; onSaved(): void }) {
  const { t } = useDeskText();
  // Only what the person touched: the rest follows what the service says.
  const [draft, setEdits] = useDraft<Partial<Settings>>('study');
  const edits = draft ?? {};
  const now: Settings = { ...study, ...edits };
  const set = (change: Partial<Settings>) => {
    const next = { ...edits, ...change };
    const changed = Object.entries(next).filter(([key, value]) => !same(value, study[key as keyof Study]));
    setEdits(changed.length > 0 ? Object.fromEntries(changed) : null);
  };
  const { submit, busy, error } = useSubmit(async () => {
    await saveStudy(edits);
    setEdits(null);
    onSaved();
  });
  const changed = Object.keys(edits).length;
  const form = { now, set, error };
  const day = (field: 'dueFrom' | 'dueTo' | 'endsOn', what?: string) => (
    <TextInput
      mt={what ? 'md' : undefined}
      size="md"
      type="date"
      label={t(`study.fields.${field}`)}
      description={what}
      error={faultOf(error, field)}
      value={now[field] ?? ''}
      onChange={(event) => set({ [field]: event.currentTarget.value || null })}
    />
  );
  return (
    <form onSubmit={submit} noValidate className="desk">
      <div className="desk-cards">
        <Card label={t('study.about')}>
          <h2>{t('study.about')}</h2>
          <TextInput
            mt="md"
            size="md"
            label={t('study.fields.name')}
            description={t('study.what.name')}
            required
            error={faultOf(error, 'name')}
            value={now.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Textarea
            mt="md"
            size="md"
            autosize
            minRows={2}
            label={t('study.fields.contact')}
            description={t('study.what.contact')}
            error={faultOf(error, 'contact')}
            value={now.contact}
            onChange={(event) => set({ contact: event.currentTarget.value })}
          />
          <NumberFields form={form} fields={[['targetSampleSize', 1, 100_000_000, true]]} />
          {day('endsOn', t('study.what.endsOn'))}
          <div className="desk-pair">
            {day('dueFrom')}
            {day('dueTo')}
          </div>
          <Text size="sm" c="dimmed" mt={6}>
            {t('study.what.due')}
          </Text>
        </Card>
        <Card label={t('study.coupons')}>
          <h2>{t('study.coupons')}</h2>
          <NumberFields
            form={form}
            fields={[
              ['couponsPerSurvey', 0, 10, false],
              ['couponValidDays', 1, 3650, true],
              ['couponStartsAfterHours', 0, 8760, false],
            ]}
          />
          <Text size="sm" c="dimmed" mt="md">
            {t('study.onlyNew')}
          </Text>
        </Card>
        <TimeZoneCard
          value={now.timeZone}
          stored={study}
          onChange={(timeZone) => set({ timeZone })}
          error={faultOf(error, 'timeZone')}
        />
        <Card label={t('study.languages')}>
          <h2>{t('study.languages')}</h2>
          <StudyLanguages
            languages={now.languages}
            couponText={now.couponText}
            contacts={now.contacts}
            onChange={set}
            error={error}
          />
          <Box mt="md">
            <MissingWords languages={now.languages} couponText={now.couponText} />
          </Box>
        </Card>
        <StudyResults form={form} />
        <StudyOutcomes form={form} />
      </div>
      <FormError error={error} />
      <div className="desk-bar" data-quiet={changed === 0 || undefined}>
        <span role="status">
          {changed > 0 ? t('study.changed', { count: changed }) : t('study.unchanged')}
        </span>
        {changed > 0 ? (
          <Button variant="default" onClick={() => setEdits(null)}>
            {t('study.discard')}
          </Button>
        ) : null}
        <Button type="submit" loading={busy} {...idleWhile(changed === 0)}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}
