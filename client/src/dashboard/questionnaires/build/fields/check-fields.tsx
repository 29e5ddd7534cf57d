/** What an answer must be: required, bounds, whole numbers. */
import { Checkbox, Text } from '@mantine/core';
import type { ElementPlace, JsonObject } from '../../element-paths.ts';
import {
  answerLimitKeysOf,
  asksWholeNumber,
  checksEditableOnlyInJson,
  isRequired,
  requiresAnyRow,
  warningThresholdOf,
  withBound,
  withRequired,
  withUnusualBound,
  withWholeNumberCheck,
} from '../definition/answer-limits.ts';
import {
  hasSpecialChoice,
  SPECIAL_CHOICES,
  type SpecialChoice,
  withSpecialChoice,
} from '../definition/choice-lists.ts';
import { standardTextFor } from '../definition/element-texts.ts';
import {
  type ConfirmedBound,
  hasChoices,
  questionKindOf,
  WARNING_BOUND_OPERATORS,
} from '../definition/question-kinds.ts';
import { useBuilderText, useBuilding } from '../use-build.ts';
import { OnBlurField } from './on-blur-field.tsx';
import { OnBlurNumberField } from './on-blur-number-field.tsx';

/** The bounds of a number can be any numbers. */
const ANY_NUMBER = { decimals: Number.POSITIVE_INFINITY, min: Number.NEGATIVE_INFINITY };

export function AnswerRuleFields({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own } = useBuilderText();
  const { change, work } = useBuilding();
  const others = checksEditableOnlyInJson(element).length;
  return (
    <fieldset className="build-box">
      <legend>{own('answer')}</legend>
      <Checkbox
        size="md"
        label={own(questionKindOf(element) === 'matrix' ? 'requiredRows' : 'required')}
        checked={isRequired(element)}
        indeterminate={requiresAnyRow(element)}
        description={requiresAnyRow(element) ? own('requiredOneRow') : undefined}
        onChange={({ currentTarget: { checked } }) => change(place, (one) => withRequired(one, checked))}
      />
      {typeof element.requiredIf === 'string' ? (
        <Text size="sm">
          {own('requiredIf')} <code dir="ltr">{element.requiredIf}</code>
        </Text>
      ) : null}
      {hasChoices(element) ? <OfferFields element={element} place={place} /> : null}
      {answerLimitKeysOf(element).length > 0 ? (
        <div className="build-bounds">
          {answerLimitKeysOf(element).map((bound) => (
            <BoundField key={bound} {...{ element, place, bound }} />
          ))}
        </div>
      ) : null}
      {questionKindOf(element) === 'number' ? (
        <>
          <UnusualFields element={element} place={place} />
          <Checkbox
            size="md"
            label={own('whole')}
            checked={asksWholeNumber(element)}
            onChange={({ currentTarget: { checked } }) =>
              change(place, (one) =>
                withWholeNumberCheck(one, checked, standardTextFor(work.definition, 'whole')),
              )
            }
          />
        </>
      ) : null}
      {others > 0 ? (
        <Text size="sm" c="dimmed">
          {own('otherChecks', { count: others })}
        </Text>
      ) : null}
    </fieldset>
  );
}

function OfferFields({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own } = useBuilderText();
  const { change, work } = useBuilding();
  return (Object.keys(SPECIAL_CHOICES) as SpecialChoice[]).map((offer) => (
    <Checkbox
      key={offer}
      size="md"
      label={own(`offer.${offer}`)}
      checked={hasSpecialChoice(element, offer)}
      onChange={({ currentTarget: { checked } }) =>
        change(place, (one) =>
          withSpecialChoice(
            one,
            offer,
            checked,
            standardTextFor(work.definition, SPECIAL_CHOICES[offer].words),
          ),
        )
      }
    />
  ));
}

type Bound = ReturnType<typeof answerLimitKeysOf>[number];

function BoundField({ element, place, bound }: { element: JsonObject; place: ElementPlace; bound: Bound }) {
  const { own } = useBuilderText();
  const { change } = useBuilding();
  const boundValue = element[bound];
  const value = typeof boundValue === 'number' || typeof boundValue === 'string' ? String(boundValue) : '';
  const set = (next: number | string) => change(place, (one) => withBound(one, bound, next));
  if (questionKindOf(element) === 'date')
    return <OnBlurField type="date" label={own(`day.${bound as 'min'}`)} value={value} onDone={set} />;
  return (
    <OnBlurNumberField
      {...(bound === 'min' || bound === 'max' ? ANY_NUMBER : {})}
      label={own(`bound.${bound}`)}
      value={value}
      onDone={(text) => set(text === '' ? '' : Number(text))}
    />
  );
}

/** Numbers outside these bounds must be confirmed. */
function UnusualFields({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own } = useBuilderText();
  const { change, work } = useBuilding();
  return (
    <div className="build-bounds">
      {(Object.keys(WARNING_BOUND_OPERATORS) as ConfirmedBound[]).map((bound) => (
        <OnBlurNumberField
          key={bound}
          {...ANY_NUMBER}
          label={own(`unusual.${bound}`)}
          value={warningThresholdOf(element, bound)}
          onDone={(value) =>
            change(place, (one) =>
              withUnusualBound(
                one,
                bound,
                value === '' ? null : Number(value),
                standardTextFor(work.definition, 'unusual'),
              ),
            )
          }
        />
      ))}
    </div>
  );
}
