/** After the interview: the person's coupons, from the phone or a printed stack. "Done" sends everything. */
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { bestLanguage } from '../../../../src/platform/lib/languages/best-language.ts';
import { studyContactInLanguage } from '../../../../src/study/settings/contacts.ts';
import { isOlderThan } from '../../device/clock.ts';
import {
  type CouponSource,
  deviceDb,
  type OutboxRow,
  type RefusedAddedCoupon,
} from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { refillCodes, sendInterviewsNow } from '../../offline/background.ts';
import { paymentClaimNumberOf } from '../../offline/coupons/claim-number.ts';
import { resendRefusedCoupons, sendCouponsAddedLater } from '../../offline/late-coupons.ts';
import {
  addPrintedCoupon,
  couponMediumOf,
  fillCoupons,
  findOutboxRow,
  heldPaperCouponsOf,
  holdInterview,
  mayRemovePrintedCoupon,
  releaseInterview,
  storeInterviewNote,
  switchCouponSource,
  takeBackPrintedCoupon,
} from '../../offline/outbox.ts';
import { canSendCodesWithInterview, RENEW_HOLD_MS, unreportedCoupons } from '../../offline/row-states.ts';
import { type FarewellPageContent, openBody, openFarewellPageContent } from '../../offline/sealed-rows.ts';
import { type Opener, useRowDecrypter } from '../../offline/use-opener.ts';
import { incentiveTermsOf } from '../../session/incentives.ts';
import { useLocations, useStudy } from '../../session/records.ts';
import { useUser } from '../../session/session.tsx';
import { formatDateTime, translateFunctionFor } from '../../texts/i18n.ts';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ClaimSlip } from './claim-slip.tsx';
import { CodeText } from './code-text.tsx';
import { Coupon } from './coupon.tsx';
import { rememberCouponMedium } from './coupon-source.ts';
import { useFreeCodeCount, WhyFewCodes } from './few-codes.tsx';
import { NoteField } from './note-field.tsx';
import { PrintedCouponSlots } from './printed-coupon.tsx';
import { SecretSlip } from './secret-slip.tsx';

export default function HandOutCouponsPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const user = useUser();
  const row = useLiveStoreQuery(`outbox-${id}`, async () => (await rowAt(id)) ?? null);
  const opener = useRowDecrypter(user.id);
  if (row === undefined || !opener) return null;
  if (row?.owner !== user.id)
    return (
      <Page title={t('nowhere.title')} back="/">
        {t('nowhere.text')}
      </Page>
    );
  return <Handout {...openRow(row, opener)} />;
}

/** Earlier versions used the row's number in the URL. */
const rowAt = (id: string) => (/^\d+$/.test(id) ? deviceDb.outbox.get(Number(id)) : findOutboxRow(id));

interface OpenedRow {
  row: OutboxRow;
  /** Null if it can't be decrypted. */
  note: string | null;
  view: Partial<FarewellPageContent>;
}

function openRow(row: OutboxRow, { open }: Opener): OpenedRow {
  const body = row.body && openBody(row.body, open);
  return { row, note: body ? (body.note ?? '') : null, view: openFarewellPageContent(row, open) };
}

/** The interview is held back while the page is open. Leaving the page means the coupons were handed out. */
function useHoldInterview(clientId: string): void {
  useEffect(() => {
    const renew = setInterval(() => {
      if (document.visibilityState === 'visible') void holdInterview(clientId).catch(() => undefined);
    }, RENEW_HOLD_MS);
    return () => {
      clearInterval(renew);
      void releaseQuietly(clientId).then(sendInterviewsNow);
    };
  }, [clientId]);
}

/** If this can't be stored, the hold expires by itself. */
const releaseQuietly = (clientId: string) => releaseInterview(clientId).catch(() => undefined);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * When the coupons are valid, only shown within a day of handing them out: after that, the study's settings may have
 * changed.
 */
function Validity({ row }: { row: OutboxRow }) {
  const { t, i18n } = useTranslation();
  const study = useStudy();
  const handoutTime = Date.parse(row.givenAt ?? row.finishedAt);
  if (!study || row.coupons === 0 || isOlderThan(handoutTime, DAY_MS)) return null;
  const { couponValidDays: days, couponStartsAfterHours: hours } = study;
  const start = handoutTime + hours * HOUR_MS;
  const at = (moment: number) => formatDateTime(new Date(moment).toISOString(), i18n.language);
  const from = hours > 0 ? at(start) : null;
  const to = days === null ? null : at(start + days * DAY_MS);
  if (!from && !to) return null;
  const key = from && to ? 'validBetween' : from ? 'validFrom' : 'validUntil';
  return <Text className="no-print">{t(`coupons.${key}`, { from, to })}</Text>;
}

/** More sites don't fit on a coupon; then only the current one is listed. */
const MAX_PLACES = 4;

/** Names and addresses of the sites, as on printed coupons. */
function usePlaces(site: string): string[] {
  const sites = useLocations();
  const listedSites = sites.length > MAX_PLACES ? sites.filter(({ id }) => id === site) : sites;
  return listedSites.map(({ name, address }) => (address ? `${name}, ${address}` : name));
}

function Handout({ row, note, view }: OpenedRow) {
  const { t, i18n } = useTranslation();
  const { farewell, language: spoken = i18n.language } = view;
  const navigate = useNavigate();
  const study = useStudy();
  const { clientId, coupons, issuedCodes } = row;
  useHoldInterview(clientId);
  const { attempt, error } = useAttempt();
  const source = couponMediumOf(row);
  const onPaper = coupons > 0 && source === 'paper';
  const missing = canSendCodesWithInterview(row) ? Math.max(0, coupons - issuedCodes.length) : 0;
  const free = useFreeCodeCount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: codes that arrive later fill the empty places too
  useEffect(() => {
    if (source !== 'phone' || missing === 0) return;
    // First uses what is on the device, then, if online, what the service can add.
    attempt(
      fillCoupons(clientId)
        .then(refillCodes)
        .then(() => fillCoupons(clientId)),
    );
  }, [source, missing, free, clientId, attempt]);
  const claim = incentiveTermsOf(study) ? paymentClaimNumberOf(row) : null;
  const total = Math.max(coupons, issuedCodes.length);
  const { languages = [], couponText = {} } = study ?? {};
  const textLanguages = languages.filter((one) => couponText[one]?.trim());
  const language = bestLanguage(textLanguages, [spoken]);
  const text = language ? couponText[language] : undefined;
  const places = usePlaces(row.location);
  const printed = {
    ...{ name: study?.name ?? '', places },
    contact: study ? studyContactInLanguage(study, language ?? spoken) : '',
  };
  return (
    <Page
      title={t(total === 0 ? 'coupons.finished' : 'coupons.title')}
      actions={
        <>
          {claim || view.secret || (issuedCodes.length > 0 && !onPaper) ? (
            <Button
              variant="default"
              size="xl"
              px="lg"
              aria-label={t('coupons.print')}
              onClick={() => print()}
            >
              <Icon name="print" />
            </Button>
          ) : null}
          <Button size="xl" onClick={() => void releaseQuietly(clientId).then(() => navigate('/'))}>
            {t('coupons.done')}
          </Button>
        </>
      }
    >
      <div className="kept-line no-print" role="status">
        <Icon name="check" />
        <Text size="sm">
          <b>{t('coupons.kept')}.</b> {row.state === 'sent' ? t('coupons.sent') : t('coupons.notYetSent')}
        </Text>
      </div>
      {total === 0 ? <Text size="lg">{t('coupons.none')}</Text> : null}
      {coupons > 0 ? (
        <SegmentedControl
          fullWidth
          className="no-print"
          aria-label={t('coupons.source')}
          value={source}
          onChange={(next) => {
            rememberCouponMedium(next as CouponSource);
            attempt(switchCouponSource(clientId, next as CouponSource));
          }}
          data={[
            { value: 'phone', label: t('coupons.phone') },
            { value: 'paper', label: t('coupons.paper') },
          ]}
        />
      ) : null}
      <FormError error={error} />
      {total === 0 ? null : <Text>{t('coupons.give', { count: onPaper ? coupons : total })}</Text>}
      <LateCoupons row={row} />
      {onPaper ? (
        <PrintedCouponSlots
          codes={heldPaperCouponsOf(row)}
          of={coupons}
          mayReplace={(code) => mayRemovePrintedCoupon(row, code)}
          onAdd={(code) => addPrintedCoupon(clientId, code).then(sendCouponsAddedLater)}
          onRemove={(code) => attempt(takeBackPrintedCoupon(clientId, code).then(sendCouponsAddedLater))}
        />
      ) : (
        <div className="coupons">
          {issuedCodes.map((code, index) => (
            <Coupon key={code} code={code} number={index + 1} of={total} text={text} study={printed} />
          ))}
          {text && issuedCodes.length > 0 ? (
            <p className="coupon-text no-print" lang={language} dir="auto">
              {text}
            </p>
          ) : null}
        </div>
      )}
      {claim ? <ClaimSlip code={claim} t={translateFunctionFor(spoken)} language={spoken} /> : null}
      {claim && study?.giftCards ? (
        <Link
          className="tall-link no-print"
          to="/pay"
          state={{ from: `/coupons/${clientId}`, code: claim, interview: clientId }}
        >
          {t('payByCard', { ns: 'own-page' })}
        </Link>
      ) : null}
      {view.secret ? <SecretSlip secret={view.secret} language={spoken} /> : null}
      {/* Below the codes, which must be visible without scrolling. */}
      <Validity row={row} />
      {missing > 0 && source === 'phone' ? (
        <Notice tone="warn" title={t('coupons.short', { count: missing })}>
          {t('coupons.shortWhat')}
          <div>
            <WhyFewCodes />
          </div>
        </Notice>
      ) : null}
      {note !== null && canSendCodesWithInterview(row) ? (
        <NoteField note={note} onSave={(text) => attempt(storeInterviewNote(row.owner, clientId, text))} />
      ) : null}
      {farewell ? (
        <Text lang={spoken} dir="auto" style={{ whiteSpace: 'pre-line' }} className="no-print">
          {farewell}
        </Text>
      ) : null}
    </Page>
  );
}

/** Paper coupons added after the interview was sent: being reported to the service, or refused by it. */
function LateCoupons({ row }: { row: OutboxRow }) {
  const { t } = useTranslation();
  const { lateRefused = [] } = row;
  const { attempt, error } = useAttempt();
  const late = unreportedCoupons(row);
  return (
    <>
      {late.length > 0 ? (
        <Notice tone="info" live title={t('coupons.late', { count: late.length })}>
          {t('coupons.lateWhat')}
        </Notice>
      ) : null}
      {lateRefused.length > 0 ? (
        <Notice tone="bad" live title={t('coupons.refused', { count: lateRefused.length })}>
          {lateRefused.map((one) => (
            <RefusedCouponHelp key={one.code} {...one} />
          ))}
          <Button mt="sm" variant="default" onClick={() => attempt(resendRefusedCoupons(row.clientId))}>
            {t('coupons.tellAgain')}
          </Button>
          <FormError error={error} />
        </Notice>
      ) : null}
    </>
  );
}

/** If the coupon itself is invalid, another coupon helps; anything else requires someone in charge. */
function RefusedCouponHelp({ code, status }: RefusedAddedCoupon) {
  const { t } = useTranslation();
  return (
    <Text component="div" mt={4}>
      <CodeText code={code} /> {t(status === 400 ? 'coupons.refusedCode' : 'coupons.refusedPerson')}
    </Text>
  );
}
