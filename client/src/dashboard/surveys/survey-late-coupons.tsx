/** Adds paper coupons that a person got after the interview was sent, for people who may change the interview. */
import { useState } from 'react';
import { parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { bareCode, CodeInput } from '../../phone/coupons/code-input.tsx';
import { RequestRefusal, request } from '../../session/api.ts';
import { useStudy } from '../../session/records.ts';
import { useAbility, useMay } from '../../session/session.tsx';
import type { CodeVerdict, ListOf, Survey } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import type { ReferralCode } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { useReasonField } from './use-reason-field.ts';

interface LateCouponsProps {
  survey: Survey;
  onChange(survey: Survey): void;
}

/** Not for people who aren't eligible, since they recruit nobody. */
export function AddLateCouponsButton({ survey, onChange }: LateCouponsProps) {
  const max = useStudy()?.couponsPerSurvey ?? 0;
  const may = useMay('update', 'Survey', survey);
  const gives = survey.status === 'COMPLETED' && survey.takesPart !== false;
  return may && gives && max > 0 ? <Add survey={survey} most={max} onChange={onChange} /> : null;
}

type Fault =
  | 'malformed'
  | 'twice'
  | 'has'
  | 'unknown'
  | 'void'
  | 'given'
  | 'seed'
  | 'stock'
  | 'above'
  | 'other';

function Add({ survey, most: max, onChange }: LateCouponsProps & { most: number }) {
  const { t } = useDashboardText();
  const whyRefused = useWhyRefused();
  const [texts, setTexts] = useState(['']);
  const [faults, setFaults] = useState<(Fault | undefined)[]>([]);
  const change = (at: number, text: string) => {
    const next = texts.with(at, text);
    // Adds an empty field once the last one is complete.
    if (parseCode(next.at(-1) ?? '') && next.length < max) next.push('');
    setTexts(next);
    setFaults([]);
  };
  const enteredCodes = texts.filter((text) => bareCode(text) !== '');
  const add = async (reason: string) => {
    const wrong = faultsOf(enteredCodes, survey.issuedCodes);
    if (wrong.some(Boolean)) {
      setFaults(wrong);
      return false;
    }
    const body = { issuedCodes: enteredCodes.map(bareCode), ...(reason ? { reason } : {}) };
    try {
      onChange(await request<Survey>('PATCH', `/api/surveys/${survey.id}`, { body }));
    } catch (error) {
      const refused = refusedOf(error);
      if (refused.length === 0) throw error;
      const reasons = await Promise.all(refused.map((at) => whyRefused(enteredCodes[at] ?? '')));
      setFaults(enteredCodes.map((_, at) => reasons[refused.indexOf(at)]));
      return false;
    }
    setTexts(['']);
    return true;
  };
  return (
    <div style={{ marginTop: 12 }}>
      <DialogButton
        label={t('lateCoupons.add')}
        text={t('lateCoupons.what', { count: max })}
        yes={t('common.add')}
        disabled={enteredCodes.length === 0}
        reason={useReasonField(false)}
        onYes={add}
      >
        {texts.map((text, at) => (
          <div
            // Fields are only identified by their position, and none is removed from the middle.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={at}
            style={{ marginTop: 16 }}
          >
            <CodeInput
              label={t('lateCoupons.code', { number: at + 1 })}
              value={text}
              error={faults[at] && t(`lateCoupons.fault.${faults[at]}`, { count: max })}
              onChange={(typed) => change(at, typed)}
            />
          </div>
        ))}
      </DialogButton>
    </div>
  );
}

/** Errors found without asking the service. */
function faultsOf(texts: string[], issued: string[]): (Fault | undefined)[] {
  const codes = texts.map((text) => parseCode(text));
  return codes.map((code, at) => {
    if (!code) return 'malformed';
    if (issued.includes(code)) return 'has';
    return codes.indexOf(code) < at ? 'twice' : undefined;
  });
}

const refusedOf = (error: unknown): number[] =>
  error instanceof RequestRefusal
    ? error.errors.flatMap(({ path }) => {
        const at = /^issuedCodes\.(\d+)/.exec(path)?.[1];
        return at === undefined ? [] : [Number(at)];
      })
    : [];

/** The service says which coupon it refused; the reason is in the coupon's record, for people who may read it. */
function useWhyRefused(): (text: string) => Promise<Fault> {
  const maySee = useAbility().can('read', 'ReferralCode');
  return async (text) => {
    const code = parseCode(text) ?? '';
    try {
      if (!maySee) {
        const { reason } = await request<CodeVerdict>('GET', `/api/validate-referral-code/${code}`);
        return reason === 'UNKNOWN' ? 'unknown' : reason === 'VOID' ? 'void' : 'other';
      }
      const { data } = await request<ListOf<ReferralCode>>('GET', `/api/referral-codes?code=${code}`);
      return faultOf(data.find((one) => one.code === code));
    } catch {
      return 'other';
    }
  };
}

function faultOf(row: ReferralCode | undefined): Fault {
  if (!row) return 'unknown';
  if (row.state === 'VOID') return 'void';
  if (row.survey) return 'given';
  if (row.seed) return 'seed';
  if (!row.batch) return 'stock';
  return row.redeemedBy ? 'above' : 'other';
}
