/**
 * Form fields as data. A field's type, limits, choices and whether it may be empty follow from the service's schema;
 * its errors come from the service's reply.
 */
import { Checkbox, NativeSelect, type NativeSelectProps, Textarea, TextInput } from '@mantine/core';
import { createContext, useContext } from 'react';
import { z } from 'zod';
import { readNumber } from '../../../../../src/platform/lib/text/read-number.ts';
import { useLocations } from '../../../session/records.ts';
import { fieldFaultOf } from '../../../ui/field-error.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

/** The service's error for the form around a field. */
export const FormErrorContext = createContext<unknown>(null);

type Option = { value: string; label: string };

export interface FormField<T> {
  name: keyof T & string;
  /** Path of the field in the service's errors, if it differs from `name`. */
  path?: string;
  /** Default: the label from the shared dictionary of fields. */
  label?: string;
  description?: string | undefined;
  /** For what the schema doesn't say: multi-line text, a number stored as text, a choice, a site. */
  as?: 'lines' | 'number' | 'choice' | 'site';
  /** For a checkbox that stores one of two strings; the first one means checked. */
  values?: readonly [string, string];
  /** For a choice: the options, or a function that labels the schema's values. */
  options?: Option[] | ((value: string) => string);
  /** For a site: which sites are offered, and the label of "none". */
  site?: Pick<SiteSelectProps, 'mayChoose' | 'none'>;
  disabled?: boolean;
  /** An error found before sending. */
  fault?: string | undefined;
  /** Other fields to change along with this one. */
  besides?(value: unknown): Partial<T>;
  /** Extra props of the input. */
  attributes?: object;
}

type FieldOf<T> = (keyof T & string) | FormField<T>;
/** An array puts its fields on one line if there is room. */
export type FormFieldRow<T> = FieldOf<T> | FieldOf<T>[] | false | null;

export interface FormState<T> {
  value: T;
  set(change: Partial<T>): void;
  mayChange?(name: string): boolean;
}

interface FieldsProps<T> {
  form: FormState<T>;
  rows: FormFieldRow<T>[];
  /** Schema of the request body. */
  schema?: z.ZodObject;
  /** Labels and descriptions specific to this form. */
  words?(name: string): { label?: string | undefined; description?: string | undefined };
  size?: 'md' | 'lg';
  className?: string;
}

export function FormFields<T extends object>({
  rows,
  className = 'fields',
  size = 'lg',
  ...shared
}: FieldsProps<T>) {
  const nameOf = (field: FieldOf<T>) => (typeof field === 'string' ? field : field.name);
  const one = (field: FieldOf<T>) => (
    <OneField
      key={nameOf(field)}
      {...shared}
      size={size}
      field={typeof field === 'string' ? { name: field } : field}
    />
  );
  return (
    <div className={className}>
      {rows.map((row) => {
        if (!row) return null;
        if (!Array.isArray(row)) return one(row);
        return (
          <div key={row.map(nameOf).join()} className="dashboard-pair">
            {row.map(one)}
          </div>
        );
      })}
    </div>
  );
}

type OneFieldProps<T> = Omit<FieldsProps<T>, 'rows' | 'className'> & { field: FormField<T> };

function OneField<T extends object>({ form, field, schema, words, size }: OneFieldProps<T>) {
  const { t } = useDashboardText();
  const refusal = useContext(FormErrorContext);
  const {
    name,
    path = name,
    as,
    values,
    options,
    besides,
    attributes,
    fault,
    disabled,
    site,
    ...own
  } = field;
  const { rule, mayBeEmpty } = ruleOf(schema, name);
  const now = form.value[name];
  const put = (value: unknown) => {
    const stored = value === '' && mayBeEmpty ? null : value;
    form.set({ [name]: stored, ...besides?.(stored) } as Partial<T>);
  };
  const common = {
    size,
    label: (t('audit.field', { returnObjects: true }) as Partial<Record<string, string>>)[name],
    ...words?.(name),
    ...own,
    disabled: disabled ?? form.mayChange?.(name) === false,
    error: fault ?? fieldFaultOf(refusal, path),
    ...attributes,
  };
  if (values || rule instanceof z.ZodBoolean || typeof now === 'boolean') {
    const [yes, no] = values ?? [true, false];
    return (
      <Checkbox
        {...common}
        size="md"
        checked={now === yes}
        onChange={(event) => put(event.currentTarget.checked ? yes : no)}
      />
    );
  }
  if (rule instanceof z.ZodNumber && as === undefined)
    return (
      <NumberField
        min={rule.minValue ?? Number.NEGATIVE_INFINITY}
        max={rule.maxValue ?? Number.POSITIVE_INFINITY}
        {...common}
        value={String((now as number | string | null) ?? '')}
        // Text that isn't a number is sent unchanged, so that the service rejects it.
        onChange={(text) => put(readNumber(text) ?? text)}
      />
    );
  if (as === 'number') return <NumberField {...common} value={(now as string | null) ?? ''} onChange={put} />;
  const inputProps = {
    ...common,
    value: (now as string | null) ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => put(value),
  };
  if (as === 'site') return <SiteSelect {...inputProps} {...site} />;
  if (as === 'choice' || rule instanceof z.ZodEnum)
    return <NativeSelect {...inputProps} data={optionsOf(rule, options)} />;
  if (as === 'lines') return <Textarea autosize minRows={2} {...inputProps} />;
  const isDay = rule instanceof z.ZodISODate;
  return <TextInput type={isDay ? 'date' : undefined} {...inputProps} />;
}

function ruleOf(schema: z.ZodObject | undefined, name: string) {
  let rule: unknown = schema?.shape[name];
  let mayBeEmpty = false;
  while (rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault) {
    mayBeEmpty ||= rule instanceof z.ZodNullable;
    rule = rule.unwrap();
  }
  return { rule, mayBeEmpty };
}

function optionsOf(rule: unknown, options: FormField<never>['options']): Option[] {
  if (Array.isArray(options)) return options;
  const values = rule instanceof z.ZodEnum ? rule.options.map(String) : [];
  return values.map((value) => ({ value, label: options?.(value) ?? value }));
}

interface SiteSelectProps extends NativeSelectProps {
  value: string;
  /** Limits which sites are offered. */
  mayChoose?(id: string): boolean;
  /** Label of the "no site" option. If omitted, a site is required. */
  none?: string;
}

function SiteSelect({ value, mayChoose = () => true, none, ...field }: SiteSelectProps) {
  const { t } = useDashboardText();
  const all = useLocations();
  const open = all.filter(({ id }) => id === value || mayChoose(id));
  const isMissing = value !== '' && !all.some(({ id }) => id === value);
  return (
    <NativeSelect
      {...field}
      value={value}
      data={[
        ...(none !== undefined || value === '' ? [{ value: '', label: none ?? t('common.chooseSite') }] : []),
        ...open.map(({ id, name }) => ({ value: id, label: name })),
        ...(isMissing ? [{ value, label: t('common.retiredSite') }] : []),
      ]}
    />
  );
}
