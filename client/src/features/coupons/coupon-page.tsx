/**
 * The page behind a coupon's QR code. Staff continue to the interview; people who scan their own coupon read where to
 * take it. The page does not ask the service about the code, so trying codes reveals only whether their format is
 * right.
 */
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { bestLanguage } from '../../../../src/lib/best-language.ts';
import { primaryLanguage } from '../../../../src/lib/text-direction.ts';
import { parseCode } from '../../../../src/referral-codes/code.ts';
import { contactInLanguage } from '../../../../src/study/contacts.ts';
import { NoSignal } from '../../api.ts';
import { chooseLanguage, isLanguage, LANGUAGES, languageName, wishedLanguages } from '../../i18n.ts';
import { usePublicStudy, useStudyName } from '../../records.ts';
import { useSession } from '../../session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { PublicStudy } from '../../wire.ts';
import { CodeText } from './code-text.tsx';

export default function CouponPage() {
  const { code = '' } = useParams();
  const session = useSession();
  if (!session) return <ForParticipant given={code} />;
  if (session.user.approvalStatus !== 'APPROVED') return <Navigate to="/waiting" replace />;
  return <Navigate to={`/start?code=${encodeURIComponent(code)}`} replace />;
}

function ForParticipant({ given }: { given: string }) {
  const { t } = useTranslation();
  const name = useStudyName();
  const { data: study, error, isFetching, refetch } = usePublicStudy();
  const [chosen, setChosen] = useState<string | null>(null);
  const language = bestLanguage(study?.languages ?? [], chosen ? [chosen] : wishedLanguages());
  return (
    <Page
      title={name ?? t('shell.name')}
      beside={<LanguageChoice study={study} chosen={chosen ?? language} onChoose={setChosen} />}
    >
      {study && language ? (
        <Text size="lg" lang={language} dir="auto" className="own-lines">
          {study.couponText[language]}
        </Text>
      ) : null}
      <Code given={given} where={(study?.sites.length ?? 0) > 0} />
      {study ? <Sites study={study} /> : null}
      {study && contactInLanguage(study, language ?? '') ? (
        <Card label={t('newcomer.questions')}>
          <Heading>{t('newcomer.questions')}</Heading>
          <Contact text={contactInLanguage(study, language ?? '')} />
        </Card>
      ) : null}
      {study && error instanceof NoSignal ? (
        <Text c="dimmed" role="status">
          {t('newcomer.kept')}
        </Text>
      ) : null}
      {!study && error ? <Missing error={error} busy={isFetching} onAgain={() => void refetch()} /> : null}
      <Text ta="center" size="sm">
        <Link to="/sign-in" state={{ next: `/c/${encodeURIComponent(given)}` }} className="tall-link">
          {t('newcomer.staff')}
        </Link>
      </Text>
    </Page>
  );
}

interface LanguageChoiceProps {
  study: PublicStudy | undefined;
  chosen: string | undefined;
  onChoose(language: string): void;
}

/** The languages of the study's own text, and those that the words around it are in. */
function LanguageChoice({ study, chosen, onChoose }: LanguageChoiceProps) {
  const { t, i18n } = useTranslation();
  const ofTexts = study?.languages ?? [];
  const ofWords = Object.keys(LANGUAGES).filter(
    (one) => !ofTexts.some((text) => primaryLanguage(text) === one),
  );
  const choose = (language: string) => {
    onChoose(language);
    const words = primaryLanguage(language);
    if (isLanguage(words)) void chooseLanguage(words);
  };
  return (
    <select
      className="plain-select"
      aria-label={t('common.language')}
      value={chosen ?? i18n.language}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {[...ofTexts, ...ofWords].map((language) => (
        <option key={language} value={language} lang={language}>
          {languageName(language)}
        </option>
      ))}
    </select>
  );
}

function Code({ given, where }: { given: string; where: boolean }) {
  const { t } = useTranslation();
  const code = parseCode(given);
  if (!code) {
    return (
      <Notice tone="info" title={t('newcomer.malformed')}>
        {t('newcomer.malformedWhat')}
      </Notice>
    );
  }
  return (
    <Card label={t('newcomer.code')}>
      <div className="coupon-code">
        <Heading>{t('newcomer.code')}</Heading>
        <CodeText code={code} />
        <Text>{t(where ? 'newcomer.show' : 'newcomer.showLater')}</Text>
      </div>
    </Card>
  );
}

function Sites({ study: { sites } }: { study: PublicStudy }) {
  const { t } = useTranslation();
  if (sites.length === 0) return null;
  return (
    <Card label={t('newcomer.where')}>
      <Heading>{t('newcomer.where')}</Heading>
      <ul className="plain-list">
        {sites.map(({ name, address, type, coordinates }) => (
          <li key={name} className="row">
            <Text fw={650} dir="auto">
              {name}
            </Text>
            {address ? <Text dir="auto">{address}</Text> : null}
            {type === 'OTHER' ? null : (
              <Text size="sm" c="dimmed">
                {t(`newcomer.kind.${type}`)}
              </Text>
            )}
            {coordinates ? (
              <a
                className="tall-link"
                style={{ gap: 8 }}
                href={mapAt(coordinates)}
                aria-label={t('newcomer.mapOf', { site: name })}
              >
                <Icon name="pin" size={20} />
                {t('newcomer.map')}
              </a>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Only a link: nothing of it is asked for until the person follows it. */
const mapAt = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;

function Missing({ error, busy, onAgain }: { error: Error; busy: boolean; onAgain(): void }) {
  const { t } = useTranslation();
  return (
    <>
      {error instanceof NoSignal ? (
        <Notice tone="warn" icon="noSignal" title={t('newcomer.noSignal')} live>
          {t('newcomer.noSignalWhat')}
        </Notice>
      ) : (
        <FormError error={error} />
      )}
      <Button variant="default" loading={busy} onClick={onAgain}>
        {t('common.again')}
      </Button>
    </>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <Text fw={650} component="h2" size="lg" mb={4}>
      {children}
    </Text>
  );
}

/** Long enough to be no date and no opening hours. */
const FEWEST_DIGITS = 9;
const REACHABLE = /([\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\(?\d[\d\s().-]{6,}\d)/;

function linkOf(part: string): string | null {
  if (part.includes('@')) return `mailto:${part}`;
  const digits = part.replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return null;
  return `tel:${part.startsWith('+') ? '+' : ''}${digits}`;
}

/** The study's own words on whom to ask; the phone numbers and addresses in them can be tapped. */
function Contact({ text }: { text: string }) {
  return (
    <Text component="p" dir="auto" className="own-lines">
      {text.split(REACHABLE).map((part, index) => {
        // Whatever the pattern caught stands at the odd places.
        const href = index % 2 === 1 ? linkOf(part) : null;
        const key = `${index} ${part}`;
        return href ? (
          <Anchor key={key} href={href} className="tall-link" inherit dir="ltr">
            {part}
          </Anchor>
        ) : (
          <span key={key}>{part}</span>
        );
      })}
    </Text>
  );
}
