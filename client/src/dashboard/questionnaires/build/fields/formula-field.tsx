/** An expression as stored, for anything beyond a list of conditions: sums, brackets, functions. */
import { Textarea } from '@mantine/core';
import { useId } from 'react';
import { SelectField } from '../../../../ui/choice.tsx';
import type { ConditionVariable } from '../definition/condition.ts';
import { useBuilderText } from '../use-build.ts';

interface FormulaFieldProps {
  label: string;
  value: string;
  sources: ConditionVariable[];
  onChange(value: string, isTyping: boolean): void;
}

export function FormulaField({ label, value, sources, onChange }: FormulaFieldProps) {
  const { own } = useBuilderText();
  const nameOf = useConditionSourceName();
  const id = useId();
  return (
    <>
      <Textarea
        id={id}
        size="md"
        label={label}
        description={own('formula.what')}
        className="build-formula"
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autosize
        minRows={1}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value, true)}
      />
      {sources.length > 0 ? (
        <SelectField
          aria-label={own('formula.insert')}
          value=""
          none={own('formula.insert')}
          options={sources.map((one) => ({ value: one.name, label: nameOf(one) }))}
          onChange={(name) => {
            const space = value === '' || /\s$/.test(value) ? '' : ' ';
            onChange(`${value}${space}{${name}}`, false);
            document.getElementById(id)?.focus();
          }}
        />
      ) : null}
    </>
  );
}

/** How people recognize the source. */
export function useConditionSourceName() {
  const { own, line } = useBuilderText();
  return ({ name, words, isCalculated }: ConditionVariable): string => {
    if (name === 'cameWithCoupon' || (name === 'isEligible' && isCalculated)) return own(`condition.${name}`);
    return isCalculated ? own('condition.workedOut', { name }) : line(words, 60);
  };
}
