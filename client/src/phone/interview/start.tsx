/** Starts an interview: with a coupon code, scanned or typed and checked at once, or as a walk-in. */
import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { type CouponVerdict, codeInScan } from '../../offline/coupons/coupon-verdict.ts';
import { mayStartWithCoupon, willBeFlagged } from '../../offline/coupons/verdict-kinds.ts';
import { startDraft } from '../../offline/drafts.ts';
import { useActiveQuestionnaire, useChosenSiteId, useStudy } from '../../session/records.ts';
import { useSession, useUser } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { shieldFromTaps } from '../../ui/tap-shield.ts';
import { CodeInput, useCouponVerdict } from '../coupons/code-input.tsx';
import { CodeScanner } from '../coupons/code-scanner.tsx';
import { recallCouponSource, rememberCouponMedium } from '../coupons/coupon-source.ts';
import { useFreeCodeCount, WhyFewCodes } from '../coupons/few-codes.tsx';
import { VerdictNotice } from '../coupons/verdict-notice.tsx';
import { type PickedSite, SitePicker } from './site-picker.tsx';

export default function InterviewStart() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const user = useUser();
  const [params] = useSearchParams();
  const [text, setText] = useState(params.get('code') ?? '');
  const [scanning, setScanning] = useState(false);
  const [place, setPlace] = useState<PickedSite>({ site: null, coordinates: null });
  const site = useChosenSiteId(user.id, useSession()?.currentLocation ?? null);
  // If no site is known yet, the site picker comes first, and stays there while the person chooses.
  const [siteFirst] = useState(site === null);
  const questionnaire = useActiveQuestionnaire();
  // Without the study's settings, nobody would get coupons.
  const hasStudy = useStudy() !== undefined;
  const verdict = useCouponVerdict(user.id, text);
  const started = useRef(false);
  const go = (coupon: CouponVerdict | null) => async () => {
    if (!place.site || !questionnaire || !hasStudy || started.current) return;
    started.current = true;
    const { site: location, coordinates } = place;
    const { language } = i18n;
    const owner = user.id;
    const code = coupon ? { referralCode: coupon.code, couponVerdict: coupon.kind } : { referralCode: null };
    const id = await startDraft({ owner, questionnaire, location, ...code, coordinates, language }).catch(
      (error: unknown) => {
        started.current = false;
        throw error;
      },
    );
    await navigate(`/interview/${id}`, { replace: true });
    return 'left' as const;
  };
  const withCode = useSubmit(go(verdict));
  const walkIn = useSubmit(go(null));
  const ready = place.site !== null && questionnaire !== null && hasStudy;
  const good = verdict !== null && mayStartWithCoupon(verdict);
  const flagged = willBeFlagged(verdict?.kind);
  // A late verdict changes the button under the finger.
  useEffect(() => {
    if (flagged) shieldFromTaps();
  }, [flagged]);
  return (
    <Page
      title={t('start.title')}
      back="/"
      actions={
        good || flagged ? (
          <Button size="xl" loading={withCode.busy} disabled={!ready} onClick={() => withCode.submit()}>
            {t(good ? 'start.go' : 'start.keepCode')}
          </Button>
        ) : (
          <Button size="xl" leftSection={<Icon name="scan" />} onClick={() => setScanning(!scanning)}>
            {scanning ? t('scan.stop') : t('start.scan')}
          </Button>
        )
      }
    >
      {siteFirst ? <SitePicker onChange={setPlace} /> : null}
      {scanning && !good && !flagged ? (
        <CodeScanner
          onRead={(read) => {
            setText(codeInScan(read));
            setScanning(false);
          }}
        />
      ) : null}
      <CodeInput value={text} onChange={setText} label={t('start.code')} />
      <VerdictNotice verdict={verdict} onClear={() => setText('')} />
      {siteFirst ? null : <SitePicker onChange={setPlace} />}
      <FewCoupons />
      {questionnaire && hasStudy ? null : <Notice tone="warn" title={t('start.noQuestions')} live />}
      <FormError error={withCode.error ?? walkIn.error} />
      {good ? null : (
        <div className="walk-in">
          <Text c="dimmed" size="sm" mb={6}>
            {t(flagged ? 'start.walkInInstead' : 'start.walkInHint')}
          </Text>
          <Button
            variant="default"
            fullWidth
            leftSection={<Icon name="walk" />}
            loading={walkIn.busy}
            disabled={!ready}
            onClick={() => walkIn.submit()}
          >
            {t('start.walkIn')}
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Shown before the interview, when something can still be done, rather than to someone waiting for coupons. */
function FewCoupons() {
  const { t } = useTranslation();
  const needed = useStudy()?.couponsPerSurvey ?? 0;
  const free = useFreeCodeCount();
  const [source, setSource] = useState(recallCouponSource);
  if (source === 'paper' || free === undefined || free >= needed) return null;
  const takePaper = () => {
    rememberCouponMedium('paper');
    setSource('paper');
  };
  return (
    <Notice tone="warn" title={t('ready.beforeTitle')} live>
      <WhyFewCodes />
      <div>{t('ready.beforePaper')}</div>
      <Button mt="sm" variant="default" fullWidth onClick={takePaper}>
        {t('ready.usePaper')}
      </Button>
    </Notice>
  );
}
