/** When something is shown, or who is eligible: clauses about earlier answers, built by clicking. */
import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { SelectField } from '../../../../ui/choice.tsx';
import { PlainButton } from '../../../kit/buttons/dashboard-button.tsx';
import type { Clause, ConditionOperator } from '../../questionnaire-logic.ts';
import {
  type ClickableCondition,
  type ConditionPart,
  type ConditionVariable,
  formatEditableCondition,
  initialClauseFor,
  operatorsFor,
  parseClickableCondition,
  takesSeveralValues,
  takesValue,
  toBuilderClause,
  withOperator,
  writeClause,
} from '../definition/condition.ts';
import { useBuilderText } from '../use-build.ts';
import { FormulaField, useConditionSourceName } from './formula-field.tsx';
import { OnBlurField } from './on-blur-field.tsx';
import { OnBlurNumberField } from './on-blur-number-field.tsx';

interface ConditionFieldProps {
  legend: string;
  /** Text for having no condition. */
  none: string;
  /** Text for having no answers to refer to. */
  nothing: string;
  value: string;
  sources: ConditionVariable[];
  /** `isTyping`: consecutive keystrokes count as one undo step. */
  onChange(value: string, isTyping?: boolean): void;
  /** Formulas are allowed too. */
  mayBeSum?: boolean;
}

export function ConditionField(props: ConditionFieldProps) {
  const { legend, none, nothing, value, sources, onChange, mayBeSum } = props;
  const { own } = useBuilderText();
  const clicked = parseClickableCondition(value);
  // While typing, the text may happen to be a simple condition; it stays a text field anyway.
  const [isWritten, setWritten] = useState(clicked === null);
  const [first] = sources;
  const put = (next: ClickableCondition) => onChange(formatEditableCondition(next));
  if (clicked === null || isWritten)
    return (
      <fieldset className="build-box">
        <legend>{legend}</legend>
        <FormulaField label={own('formula.label')} {...{ value, sources, onChange }} />
        <div className="flow">
          {clicked ? <PlainButton label={own('formula.click')} onClick={() => setWritten(false)} /> : null}
          {value === '' ? null : (
            <PlainButton
              label={own(mayBeSum ? 'formula.drop' : 'condition.drop')}
              onClick={() => onChange('')}
            />
          )}
        </div>
      </fieldset>
    );
  const { join, parts } = clicked;
  return (
    <fieldset className="build-box">
      <legend>{legend}</legend>
      {parts.length === 0 ? <Text size="sm">{none}</Text> : null}
      {parts.length > 1 ? (
        <SelectField
          label={own('condition.join')}
          value={join}
          onChange={(next) => put({ parts, join: next === 'or' ? 'or' : 'and' })}
          options={(['and', 'or'] as const).map((one) => ({ value: one, label: own(`condition.${one}`) }))}
        />
      ) : null}
      {parts.map((part, index) => (
        <PartFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the same clause may appear twice
          key={index}
          number={index + 1}
          part={part}
          sources={sources}
          onPart={(next) => put({ join, parts: parts.with(index, next) })}
          onRemove={() => put({ join, parts: parts.toSpliced(index, 1) })}
        />
      ))}
      {first ? (
        <div className="flow">
          <PlainButton
            label={own('condition.add')}
            onClick={() => put({ join, parts: [...parts, initialClauseFor(first)] })}
          />
          <PlainButton label={own('formula.write')} onClick={() => setWritten(true)} />
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
    </fieldset>
  );
}

interface PartFieldsProps {
  number: number;
  part: ConditionPart;
  sources: ConditionVariable[];
  onPart(part: ConditionPart): void;
  onRemove(): void;
}

function PartFields({ number, part, sources, onPart, onRemove }: PartFieldsProps) {
  const { own } = useBuilderText();
  const nameOf = useConditionSourceName();
  const source = sources.find(({ name }) => name.toLowerCase() === part.clause.question.toLowerCase());
  const clause = toBuilderClause(part.clause, source);
  const supportedOperators: ConditionOperator[] = source ? operatorsFor(source) : [];
  const operators = supportedOperators.includes(clause.operator)
    ? supportedOperators
    : [clause.operator, ...supportedOperators];
  const about = own('condition.number', { number });
  const set = (values: string[]) => {
    const next = { ...clause, values };
    const text = writeClause(next, source);
    if (text !== null) onPart({ clause: next, text });
  };
  return (
    <fieldset className="build-clause" aria-label={about}>
      <SelectField
        label={own('condition.question')}
        value={source?.name ?? clause.question}
        onChange={(name) => {
          const next = sources.find((one) => one.name === name);
          if (next) onPart(defaultPart(next));
        }}
        options={[
          ...(source ? [] : [{ value: clause.question, label: clause.question }]),
          ...sources.map((one) => ({ value: one.name, label: nameOf(one) })),
        ]}
      />
      <SelectField
        label={own('condition.operator')}
        value={clause.operator}
        onChange={(next) =>
          onPart(withOperator(clause, next as ConditionOperator, source ?? unknown(clause)))
        }
        options={operators.map((value) => ({
          value,
          label: own(
            `condition.is.${source?.answers === 'several' && value === 'anyof' ? 'includesAny' : value}`,
          ),
        }))}
      />
      {takesValue(clause.operator) ? <ValueField {...{ clause, source, onValues: set }} /> : null}
      <PlainButton label="✕" aria-label={`${own('remove')}: ${about}`} onClick={onRemove} />
    </fieldset>
  );
}

/** The default clause for a question: "one of" with its first choice, or that it is answered. */
function defaultPart(source: ConditionVariable): ConditionPart {
  const [first = 'notempty'] = operatorsFor(source);
  return withOperator(initialClauseFor(source).clause, first, source);
}

const unknown = ({ question }: Clause): ConditionVariable => ({
  name: question,
  answers: 'words',
  words: question,
  choices: [],
});

interface ValueFieldProps {
  clause: Clause;
  source: ConditionVariable | undefined;
  onValues(values: string[]): void;
}

function ValueField({ clause, source, onValues }: ValueFieldProps) {
  const { own, t, line } = useBuilderText();
  const { values } = clause;
  if (source?.answers === 'yes or no')
    return (
      <SelectField
        label={own('condition.value')}
        value={values[0] ?? 'true'}
        onChange={(value) => onValues([value])}
        options={[
          { value: 'true', label: t('audit.yes') },
          { value: 'false', label: t('audit.no') },
        ]}
      />
    );
  if (source && source.choices.length > 0 && takesSeveralValues(clause.operator)) {
    const all = source.choices.map((one) => ({ value: String(one.value), words: line(one.words, 60) }));
    const missing = values.filter((value) => !all.some((one) => one.value === value));
    return (
      <Checkbox.Group label={own('condition.values')} value={values} onChange={onValues}>
        {[...all, ...missing.map((value) => ({ value, words: value }))].map(({ value, words }) => (
          <Checkbox
            key={value}
            size="md"
            value={value}
            label={
              source.name === 'cameWithCoupon'
                ? t(value === 'yes' ? 'audit.yes' : 'audit.no')
                : words || value
            }
          />
        ))}
      </Checkbox.Group>
    );
  }
  const field = {
    label: own('condition.value'),
    value: values.join(', '),
    onDone: (value: string) => {
      if (value !== '') onValues([value]);
    },
  };
  if (source?.answers === 'number')
    return (
      <OnBlurNumberField decimals={Number.POSITIVE_INFINITY} min={Number.NEGATIVE_INFINITY} {...field} />
    );
  return <OnBlurField type={source?.answers === 'date' ? 'date' : 'text'} {...field} />;
}
