/** How something is handed over: cash, gift card, and so on, or not now. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncentiveHandedOver } from '../../wire.ts';
import './paying.css';

const METHODS = ['CASH', 'GIFT_CARD', 'TRANSFER', 'OTHER'] as const;

interface MethodFieldProps {
  label: string;
  /** Undefined until chosen; null means "not now". */
  value: IncentiveHandedOver | null | undefined;
  mayWait?: boolean;
  error?: string | undefined;
  /** False for a card from the study's stock, which needs no reference. */
  hasReference?: boolean;
  /** Shown between the methods and the reference. */
  children?: ReactNode;
  onChange(value: IncentiveHandedOver | null): void;
}

export function PaymentMethodField({
  label,
  value,
  mayWait,
  error,
  hasReference = true,
  children,
  onChange,
}: MethodFieldProps) {
  const { t } = useTranslation('paying');
  const name = useId();
  const fault = useId();
  const tile = (key: string, text: string, chosen: boolean, next: IncentiveHandedOver | null) => (
    <label key={key} className="method">
      <input
        type="radio"
        autoComplete="off"
        name={name}
        checked={chosen}
        aria-describedby={error ? fault : undefined}
        onChange={() => onChange(next)}
      />
      {text}
    </label>
  );
  return (
    <div>
      <fieldset className="methods">
        <legend>{label}</legend>
        {METHODS.map((method) =>
          tile(
            method,
            t(`method.${method}`),
            value?.method === method,
            method === 'CASH' ? { method } : { ...value, method },
          ),
        )}
        {mayWait ? tile('wait', t('notNow'), value === null, null) : null}
      </fieldset>
      <p className="methods-error" id={fault} role="alert">
        {error}
      </p>
      {children}
      {value && value.method !== 'CASH' && hasReference ? (
        <TextInput
          mt="sm"
          label={t('reference')}
          description={t('referenceWhat')}
          maxLength={100}
          autoComplete="off"
          value={value.reference ?? ''}
          onChange={({ currentTarget: { value: reference } }) =>
            onChange(reference.trim() ? { method: value.method, reference } : { method: value.method })
          }
        />
      ) : null}
    </div>
  );
}
