/**
 * A field for a coupon code: eight letters and digits, grouped and capitalized while typing, with the check character
 * verified at once.
 */
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCode, parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';
import { type CouponVerdict, codeInScan, watchCouponVerdict } from '../../offline/coupons/coupon-verdict.ts';
import { rewriteTypedText } from '../../ui/rewrite-input.ts';

const CODE_LENGTH = 8;

/** The relevant characters of the typed text or scanned link, with lookalikes replaced: O is 0, I and L are 1. */
export function bareCode(text: string): string {
  const bare = toLatinDigits(codeInScan(text))
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  return bare.replaceAll('O', '0').replace(/[IL]/g, '1');
}

function shownCode(text: string): string {
  const bare = bareCode(text);
  return bare.length > 4 ? formatCode(bare) : bare;
}

interface CodeInputProps {
  label: string;
  value: string;
  autoFocus?: boolean;
  /** Any other error. */
  error?: string | undefined;
  onChange(text: string): void;
}

export function CodeInput({ label, value, autoFocus, error, onChange }: CodeInputProps) {
  const { t } = useTranslation();
  const bare = bareCode(value);
  const hint = bare.includes('U')
    ? t('codeInput.noU')
    : bare.length > CODE_LENGTH
      ? t('codeInput.tooLong')
      : null;
  return (
    <TextInput
      className="code-input"
      label={label}
      description={
        bare.length > 0 && bare.length < CODE_LENGTH
          ? t('codeInput.left', { count: CODE_LENGTH - bare.length })
          : t('codeInput.hint')
      }
      error={hint ?? error}
      placeholder="0000-0000"
      value={shownCode(value)}
      autoCapitalize="characters"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="done"
      {...(autoFocus ? { 'data-autofocus': true, autoFocus } : {})}
      onChange={(event) => onChange(rewriteTypedText(event.currentTarget, shownCode))}
    />
  );
}

/** Null while the code is incomplete, and briefly until something is known about it. */
export function useCouponVerdict(owner: string, text: string): CouponVerdict | null {
  const [lookup, setLookup] = useState<{ text: string; verdict: CouponVerdict } | null>(null);
  const bare = bareCode(text);
  const whole = bare.length >= CODE_LENGTH;
  useEffect(() => {
    if (!whole) return;
    return watchCouponVerdict(owner, bare, (verdict) => setLookup({ text: bare, verdict }));
  }, [owner, bare, whole]);
  if (!whole) return null;
  if (!parseCode(bare)) return { kind: 'malformed', code: bare };
  return lookup?.text === bare ? lookup.verdict : null;
}
