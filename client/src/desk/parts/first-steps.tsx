/** The steps of the first run. */
import { Button, Group, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api.ts';
import { CodeText } from '../../parts/code-text.tsx';
import { FormError, useSubmit } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Card } from '../../parts/page.tsx';
import { chooseSite, queries, useLocations } from '../../records.ts';
import { useSession, useUser } from '../../session.tsx';
import type { ListOf, Location, Study } from '../../wire.ts';
import { useDeskText } from './desk-text.ts';
import { faultOf } from './fault.ts';
import { languageName } from './language-name.ts';
import { Bones } from './list-page.tsx';
import { PrintAsk, type PrintJob } from './print-ask.tsx';
import { SiteSelect } from './site-select.tsx';
import { SITE_TYPES } from './site-types.ts';
import { saveStudy } from './study-form.tsx';
import { AddLanguage } from './study-languages.tsx';
import { TimeZoneCard } from './time-zone.tsx';
import { refreshDesk, useGet } from './use-list.tsx';
import type { Seed } from './wire.ts';

interface StepProps {
  onNext(): void;
}

export function FirstStudy({ onNext }: StepProps) {
  const { t } = useDeskText();
  const found = useGet<Study>('/api/study');
  return found.data ? <StudyStep study={found.data} onNext={onNext} /> : <Bones label={t('study.title')} />;
}

function StudyStep({ study, onNext }: StepProps & { study: Study }) {
  const { t, language } = useDeskText();
  const [name, setName] = useState(study.name);
  const [languages, setLanguages] = useState(study.languages);
  const [coupons, setCoupons] = useState<number | string>(study.couponsPerSurvey);
  const { submit, busy, error } = useSubmit(async () => {
    await saveStudy({ name, languages, couponsPerSurvey: Number(coupons) });
    onNext();
  });
  return (
    <form onSubmit={submit} noValidate className="desk">
      <Card>
        <TextInput
          label={t('study.fields.name')}
          description={t('study.what.name')}
          required
          error={faultOf(error, 'name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          mt="md"
          size="lg"
          label={t('study.fields.couponsPerSurvey')}
          description={t('study.what.couponsPerSurvey')}
          min={0}
          max={10}
          allowDecimal={false}
          error={faultOf(error, 'couponsPerSurvey')}
          value={coupons}
          onChange={setCoupons}
        />
      </Card>
      <Card label={t('study.languages')}>
        <h2>{t('study.languages')}</h2>
        <ul className="desk-plain">
          {languages.map((tag) => (
            <li key={tag}>
              {languageName(tag, language)}
              {languages.length > 1 ? (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('study.removeLanguage', { language: languageName(tag, language) })}
                  onClick={() => setLanguages(languages.filter((one) => one !== tag))}
                >
                  <Icon name="trash" size={20} />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
        <AddLanguage
          taken={languages}
          onAdd={(tag) => setLanguages([...languages, tag])}
          error={faultOf(error, 'languages')}
        />
      </Card>
      <TimeZoneCard />
      <FormError error={error} />
      <Button type="submit" size="xl" loading={busy} disabled={coupons === ''}>
        {t('common.next')}
      </Button>
    </form>
  );
}

export function FirstSites({ onNext }: StepProps) {
  const { t } = useDeskText();
  const { data } = useGet<ListOf<Location>>('/api/locations');
  const [name, setName] = useState('');
  const [type, setType] = useState<Location['type']>('SHELTER');
  const { submit, busy, error } = useSubmit(async () => {
    await request('POST', '/api/locations', { body: { name, type } });
    setName('');
    await Promise.all([refreshDesk(), queries.invalidateQueries({ queryKey: ['locations'] })]);
  });
  const sites = data?.data ?? [];
  return (
    <>
      <Card>
        {sites.length > 0 ? (
          <ul className="desk-plain" aria-label={t('sites.title')}>
            {sites.map((site) => (
              <li key={site.id}>
                <span>
                  <b>{site.name}</b>, {t(`sites.types.${site.type}`)}
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <Text c="dimmed">{t('sites.none')}</Text>
        )}
        <form onSubmit={submit} noValidate style={{ marginTop: 16 }}>
          <Group grow align="start">
            <TextInput
              size="md"
              label={t('common.name')}
              required
              error={faultOf(error, 'name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <NativeSelect
              size="md"
              label={t('common.type')}
              value={type}
              onChange={(event) => setType(event.currentTarget.value as Location['type'])}
              data={SITE_TYPES.map((value) => ({ value, label: t(`sites.types.${value}`) }))}
            />
          </Group>
          <FormError error={error} />
          <Button type="submit" variant="default" mt="md" loading={busy} disabled={name.trim() === ''}>
            {t('sites.add')}
          </Button>
        </form>
      </Card>
      <Button size="xl" disabled={sites.length === 0 || name.trim() !== ''} onClick={onNext}>
        {t('common.next')}
      </Button>
    </>
  );
}

export function FirstSeeds({ onNext }: StepProps) {
  const { t } = useDeskText();
  const user = useUser();
  const current = useSession()?.currentLocation ?? null;
  const sites = useLocations();
  const [chosen, setSite] = useState('');
  const site = chosen || (sites[0]?.id ?? '');
  const [count, setCount] = useState<number | string>(5);
  const [made, setMade] = useState<Seed[]>([]);
  const [job, setJob] = useState<PrintJob | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    for (let left = Number(count); left > 0; left -= 1) {
      const seed = await request<Seed>('POST', '/api/seeds', { body: { location: site } });
      setMade((before) => [...before, seed]);
      setCount(left - 1);
    }
    await chooseSite(user.id, site, current);
    await refreshDesk();
  });
  const print = () =>
    setJob({
      path: '/api/seeds/print',
      body: { seeds: made.map(({ id }) => id) },
      file: 'seeds.pdf',
      layout: 'page',
      text: t('seeds.made', { count: made.length }),
    });
  return (
    <>
      <Card>
        <form onSubmit={submit} noValidate>
          <SiteSelect value={site} onChange={setSite} error={faultOf(error, 'location')} />
          <NumberInput
            mt="md"
            size="lg"
            label={t('common.count')}
            min={0}
            max={50}
            allowDecimal={false}
            value={count}
            onChange={setCount}
          />
          <FormError error={error} />
          <Button
            type="submit"
            variant={made.length > 0 ? 'default' : 'filled'}
            mt="md"
            loading={busy}
            disabled={!site || !(Number(count) > 0)}
          >
            {t('seeds.makeGo')}
          </Button>
        </form>
      </Card>
      {made.length > 0 ? (
        <Notice tone="good" live title={t('firstRun.seedsMade', { count: made.length })}>
          <ul className="desk-codes">
            {made.map(({ id, referralCode }) => (
              <li key={id}>
                <CodeText code={referralCode} />
              </li>
            ))}
          </ul>
          <Button variant="default" mt="sm" onClick={print}>
            {t('common.print')}
          </Button>
        </Notice>
      ) : null}
      <Button size="xl" variant={made.length > 0 ? 'filled' : 'default'} onClick={onNext}>
        {made.length > 0 ? t('common.next') : t('firstRun.later')}
      </Button>
      {job ? <PrintAsk job={job} onClose={() => setJob(null)} /> : null}
    </>
  );
}

const WAYS = [
  { to: '/start', key: 'start', icon: 'walk' },
  { to: '/desk/people', key: 'people', icon: 'people' },
  { to: '/desk/questionnaires', key: 'questions', icon: 'question' },
  { to: '/desk/coupons', key: 'coupons', icon: 'ticket' },
  { to: '/desk/study', key: 'study', icon: 'settings' },
] as const;

export function FirstDone() {
  const { t } = useDeskText();
  return (
    <>
      <Notice tone="info" title={t('firstRun.signUp')}>
        <b className="code">{location.origin}</b>
      </Notice>
      <Card>
        {WAYS.map(({ to, key, icon }) => (
          <Link key={key} className="row-link" to={to}>
            <Icon name={icon} />
            <span style={{ flex: 1 }}>
              <b>{t(`firstRun.ways.${key}.title`)}</b>
              <br />
              <Text component="span" size="sm" c="dimmed">
                {t(`firstRun.ways.${key}.what`)}
              </Text>
            </span>
            <Icon name="next" size={20} />
          </Link>
        ))}
      </Card>
    </>
  );
}
