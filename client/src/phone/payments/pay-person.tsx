/** Pays a returning person: claim number, what is due, payment method, then the next person. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { codeInScan } from '../../offline/coupons/coupon-verdict.ts';
import { NoSignal, RequestRefusal } from '../../session/api.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useUser } from '../../session/session.tsx';
import { moneyText, sumOfAmounts } from '../../texts/money.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { shieldFromTaps } from '../../ui/tap-shield.ts';
import { bareCode, CodeInput } from '../coupons/code-input.tsx';
import { CodeScanner } from '../coupons/code-scanner.tsx';
import { VerdictNotice } from '../coupons/verdict-notice.tsx';
import { GiftCardSourceSelect, type PaymentMethod, useFillCardSource } from './card-choice.tsx';
import { IncentiveClaimCard } from './claim-card.tsx';
import { GiftCardDetails } from './gift-card.tsx';
import { PaymentMethodField } from './method-field.tsx';
import { PaymentSiteField, type PaySiteSelection, usePaySite } from './pay-site.tsx';
import { ReceiptLink } from './receipt-link.tsx';
import { useClaim } from './use-claim.ts';
import { useSendingState } from './use-sending.ts';

const CODE_LENGTH = 8;

/** From the previous page: whom to pay, and the interview on this device that the payment is for. */
export interface PayState {
  from?: string;
  code?: string;
  interview?: string;
}

export default function PayPerson() {
  const [handed, setHanded] = useState<PaymentMethod>({ method: 'CASH' });
  const [turn, setTurn] = useState({ number: 0, scanning: false });
  const site = usePaySite();
  return (
    <OnePerson
      key={turn.number}
      scansFirst={turn.scanning}
      isFirst={turn.number === 0}
      site={site}
      handed={handed}
      onHanded={setHanded}
      onNext={(scanning) => {
        shieldFromTaps();
        // Keeps the method, but a reference belongs to a single card.
        setHanded(withoutReference(handed));
        setTurn({ number: turn.number + 1, scanning });
      }}
    />
  );
}

const withoutReference = ({ reference: _, ...handed }: PaymentMethod): PaymentMethod => handed;

interface OnePersonProps {
  scansFirst: boolean;
  /** True for the first person, whose number the previous page may have passed. */
  isFirst: boolean;
  site: PaySiteSelection;
  handed: PaymentMethod;
  onHanded(handed: PaymentMethod): void;
  /** `scanning`: whether the next number is scanned too. */
  onNext(scanning: boolean): void;
}

function OnePerson({ scansFirst, isFirst, site, handed, onHanded, onNext }: OnePersonProps) {
  const { t, i18n } = useTranslation('paying');
  const { t: app } = useTranslation();
  const { state } = useLocation() as { state: PayState | null };
  const first = isFirst ? state : null;
  const online = useHasSignal();
  const payer = fullName(useUser());
  const [text, setText] = useState(first?.code ?? '');
  const withCard = useFillCardSource();
  // Only the service can pay, so the interview that the payment is for is sent first.
  const sending = useSendingState(first?.interview);
  const [scanning, setScanning] = useState(scansFirst);
  const [scanned, setScanned] = useState(scansFirst);
  const bare = bareCode(text);
  const code = bare.length < CODE_LENGTH ? null : parseCode(bare);
  const { claim, fault, due, chosen, paid, choose, pay, busy, error } = useClaim({
    code: sending ? null : code,
    handed,
    location: site.named,
  });
  const enter = (next: string) => {
    setText(next);
    // A reference belongs to one person's card.
    if (bareCode(next) !== bare) onHanded(withoutReference(handed));
  };
  const money = (amounts: { amount: string; currency: string }[]) =>
    moneyText(sumOfAmounts(amounts), amounts[0]?.currency ?? '', i18n.language);
  const isOver = claim !== null && chosen.length === 0 && (paid.length > 0 || due.length === 0);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOver) next.current?.focus();
  }, [isOver]);
  return (
    <Page
      title={t('person.title')}
      back={state?.from ?? '/'}
      actions={
        isOver ? (
          <>
            {paid.length > 0 ? (
              <ReceiptLink size="xl" px="lg" payments={paid} claim={claim.code} payer={payer} />
            ) : null}
            <Button size="xl" ref={next} onClick={() => onNext(scanned)}>
              {t('person.next')}
            </Button>
          </>
        ) : claim ? (
          <Button size="xl" loading={busy} disabled={chosen.length === 0 || !site.isKnown} onClick={pay}>
            {t('person.pay', { amount: chosen.length > 0 ? money(chosen) : '' })}
          </Button>
        ) : (
          <Button
            size="xl"
            leftSection={<Icon name="scan" />}
            onClick={() => {
              setScanning(!scanning);
              setScanned(!scanning);
            }}
          >
            {app(scanning ? 'scan.stop' : 'start.scan')}
          </Button>
        )
      }
    >
      {online ? null : (
        <Notice tone="warn" icon="noSignal" live title={t('person.offline')}>
          {t('person.offlineWhat')}
        </Notice>
      )}
      {scanning && !claim ? (
        <CodeScanner
          onRead={(read) => {
            enter(codeInScan(read));
            setScanning(false);
          }}
        />
      ) : null}
      <CodeInput value={text} onChange={enter} label={t('claim')} autoFocus={!scanning} />
      {bare.length >= CODE_LENGTH && !code ? (
        <VerdictNotice verdict={{ kind: 'malformed', code: bare }} />
      ) : null}
      {sending ? (
        <Notice tone={sending === 'refused' ? 'bad' : 'info'} live title={t(`stock.${sending}`)}>
          {sending === 'refused' ? <Link to="/outbox">{t('stock.outbox')}</Link> : null}
        </Notice>
      ) : null}
      <ClaimFault error={fault} />
      {paid.length > 0 ? <Notice tone="good" live title={t('person.paid', { amount: money(paid) })} /> : null}
      {paid.map(({ id, card, reference }) =>
        card ? (
          <GiftCardDetails key={id} card={card} />
        ) : card === null && reference ? (
          <Notice key={id} tone="good" title={t('stock.texted')} />
        ) : null,
      )}
      {claim ? (
        <IncentiveClaimCard
          claim={claim}
          due={due}
          isPaid={paid.length > 0}
          chosen={chosen}
          onChoose={choose}
        />
      ) : null}
      {chosen.length > 0 ? (
        <PaymentMethodField
          label={t('person.how')}
          value={handed}
          hasReference={!handed.card}
          onChange={(value) => onHanded(withCard(value, handed))}
        >
          <GiftCardSourceSelect value={handed} onChange={onHanded} />
        </PaymentMethodField>
      ) : null}
      {isOver ? null : <PaymentSiteField {...site} error={error} />}
      <PayFault error={error} />
      <Link className="tall-link" to="/pay/day">
        {t('day.open')}
      </Link>
    </Page>
  );
}

/** Explains in plain words why nothing could be paid. */
function ClaimFault({ error }: { error: unknown }) {
  const { t } = useTranslation('paying');
  const problem = useProblemText();
  // The page already says that it is offline, and retries once it is online.
  if (!error || error instanceof NoSignal) return null;
  if (error instanceof RequestRefusal && error.status === 404 && error.reason)
    return (
      <Notice tone="bad" live title={t('person.notClaim')}>
        {problem(error)}
      </Notice>
    );
  if (error instanceof RequestRefusal && error.status === 404)
    return (
      <Notice tone="bad" live title={t('person.unknown')}>
        {t('person.unknownWhat')}
      </Notice>
    );
  return <Notice tone="bad" live title={problem(error)} />;
}

function PayFault({ error }: { error: unknown }) {
  const { t } = useTranslation('paying');
  const problem = useProblemText();
  if (!error) return null;
  const isUnsure = error instanceof NoSignal || (error instanceof RequestRefusal && error.status >= 500);
  if (isUnsure)
    return (
      <Notice tone="warn" live title={t('person.unsure')}>
        {t('person.unsureWhat')}
      </Notice>
    );
  const isForbidden = error instanceof RequestRefusal && error.status === 403;
  // Shown at its field.
  if (error instanceof RequestRefusal && error.errors.some(({ path }) => path === 'location')) return null;
  return <Notice tone="bad" live title={isForbidden ? t('person.forbidden') : problem(error)} />;
}
