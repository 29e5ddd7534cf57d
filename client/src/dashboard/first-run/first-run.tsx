/**
 * The setup wizard after creating the first account: the study, its sites, and the first seeds, in a few minutes.
 * Every step is saved.
 */
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { PublicAddressWarning, SignUpAddress } from '../kit/buttons/public-address.tsx';
import { DashboardPage } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { FirstSeeds } from './first-seeds.tsx';
import { FirstSites } from './first-sites.tsx';
import { FirstRunStudyStep } from './first-study.tsx';

const STEPS = ['study', 'sites', 'seeds', 'done'] as const;
export type FirstRunStep = (typeof STEPS)[number];
const PAGES = { study: FirstRunStudyStep, sites: FirstSites, seeds: FirstSeeds, done: FirstDone };

export default function SetupWizard() {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('first-run');
  const [params, setParams] = useSearchParams();
  // Unknown steps lead to the first one.
  const at = Math.max(0, STEPS.indexOf(params.get('step') as FirstRunStep));
  const step = STEPS[at] ?? 'study';
  const go = (to: FirstRunStep | undefined) => setParams(to ? { step: to } : {});
  const StepPage = PAGES[step];
  return (
    <DashboardPage key={step} title={own(`titles.${step}`)}>
      <div className="dashboard dashboard-first">
        <ol className="dashboard-steps" aria-label={own('steps')}>
          {STEPS.map((one, index) => (
            <li
              key={one}
              aria-current={one === step ? 'step' : undefined}
              data-done={index < at || undefined}
            >
              {own(`short.${one}`)}
            </li>
          ))}
        </ol>
        <Text c="dimmed">{own(`lead.${step}`)}</Text>
        <StepPage onNext={() => go(STEPS[at + 1])} />
        {at > 0 ? (
          <Group>
            <Button variant="subtle" onClick={() => go(STEPS[at - 1])}>
              {t('common.back')}
            </Button>
          </Group>
        ) : null}
      </div>
    </DashboardPage>
  );
}

const STARTING_POINTS = [
  { to: '/start', key: 'start', icon: 'walk' },
  { to: '/desk/people', key: 'people', icon: 'people' },
  { to: '/desk/questionnaires', key: 'questions', icon: 'question' },
  { to: '/desk/coupons', key: 'coupons', icon: 'ticket' },
  { to: '/desk/study', key: 'study', icon: 'settings' },
] as const;

/** The last step: where volunteers sign up, and what to do next. */
function FirstDone() {
  const { t: own } = useTranslation('first-run');
  return (
    <>
      <Notice tone="info" title={own('signUp')}>
        <SignUpAddress />
      </Notice>
      <PublicAddressWarning />
      <Card>
        {STARTING_POINTS.map(({ to, key, icon }) => (
          <Link key={key} className="row-link" to={to}>
            <Icon name={icon} />
            <span style={{ flex: 1 }}>
              <b>{own(`ways.${key}.title`)}</b>
              <br />
              <Text component="span" size="sm" c="dimmed">
                {own(`ways.${key}.what`)}
              </Text>
            </span>
            <Icon name="next" size={20} />
          </Link>
        ))}
      </Card>
    </>
  );
}
