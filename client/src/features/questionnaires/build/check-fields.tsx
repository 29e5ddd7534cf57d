/** What an answer must be, in words: required, bounds, whole numbers. */
import { Checkbox, Text } from '@mantine/core';
import {
  asksOneRow,
  asksWhole,
  boundsOf,
  isRequired,
  otherChecks,
  withBound,
  withRequired,
  withWhole,
} from './answer-limits.ts';
import { OFFERS, type Offer, offers, withOffer } from './choice-lists.ts';
import type { Json, Place } from './element-paths.ts';
import { usualWords } from './element-texts.ts';
import { OnBlurField } from './on-blur-field.tsx';
import { hasChoices, kindOf } from './question-kinds.ts';
import { useBuilding, useBuildText } from './use-build.ts';

export function CheckFields({ element, place }: { element: Json; place: Place }) {
  const { own } = useBuildText();
  const { change, work } = useBuilding();
  const others = otherChecks(element).length;
  return (
    <fieldset className="build-box">
      <legend>{own('answer')}</legend>
      <Checkbox
        size="md"
        label={own(kindOf(element) === 'matrix' ? 'requiredRows' : 'required')}
        checked={isRequired(element)}
        indeterminate={asksOneRow(element)}
        description={asksOneRow(element) ? own('requiredOneRow') : undefined}
        onChange={({ currentTarget: { checked } }) => change(place, (one) => withRequired(one, checked))}
      />
      {typeof element.requiredIf === 'string' ? (
        <Text size="sm">
          {own('requiredIf')} <code dir="ltr">{element.requiredIf}</code>
        </Text>
      ) : null}
      {hasChoices(element) ? <OfferFields element={element} place={place} /> : null}
      {boundsOf(element).length > 0 ? (
        <div className="build-bounds">
          {boundsOf(element).map((bound) => (
            <BoundField key={bound} {...{ element, place, bound }} />
          ))}
        </div>
      ) : null}
      {kindOf(element) === 'number' ? (
        <Checkbox
          size="md"
          label={own('whole')}
          checked={asksWhole(element)}
          onChange={({ currentTarget: { checked } }) =>
            change(place, (one) => withWhole(one, checked, usualWords(work.definition, 'whole')))
          }
        />
      ) : null}
      {others > 0 ? (
        <Text size="sm" c="dimmed">
          {own('otherChecks', { count: others })}
        </Text>
      ) : null}
    </fieldset>
  );
}

function OfferFields({ element, place }: { element: Json; place: Place }) {
  const { own } = useBuildText();
  const { change, work } = useBuilding();
  return (Object.keys(OFFERS) as Offer[]).map((offer) => (
    <Checkbox
      key={offer}
      size="md"
      label={own(`offer.${offer}`)}
      checked={offers(element, offer)}
      onChange={({ currentTarget: { checked } }) =>
        change(place, (one) =>
          withOffer(one, offer, checked, usualWords(work.definition, OFFERS[offer].words)),
        )
      }
    />
  ));
}

type Bound = ReturnType<typeof boundsOf>[number];

function BoundField({ element, place, bound }: { element: Json; place: Place; bound: Bound }) {
  const { own } = useBuildText();
  const { change } = useBuilding();
  const isDay = kindOf(element) === 'date';
  const kept = element[bound];
  const shown = typeof kept === 'number' || typeof kept === 'string' ? String(kept) : '';
  return (
    <OnBlurField
      type={isDay ? 'date' : 'number'}
      label={own(isDay ? `day.${bound as 'min'}` : `bound.${bound}`)}
      value={shown}
      onDone={(value) =>
        change(place, (one) => withBound(one, bound, value === '' || isDay ? value : Number(value)))
      }
    />
  );
}
