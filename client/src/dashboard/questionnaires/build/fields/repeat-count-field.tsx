/** How many entries a group of repeated questions has. */
import { SelectField } from '../../../../ui/choice.tsx';
import type { ElementPlace, JsonObject } from '../../element-paths.ts';
import { conditionSourcesBefore } from '../definition/condition.ts';
import {
  MAX_REPEAT_ENTRIES,
  type RepeatedPanelCount,
  repeatCountRuleOf,
  withRepeatCount,
} from '../definition/repeat-count.ts';
import { useBuilderText, useBuilding } from '../use-build.ts';
import { useConditionSourceName } from './formula-field.tsx';
import { OnBlurNumberField } from './on-blur-number-field.tsx';

const QUESTION_PREFIX = 'question ';

export function RepeatCountField({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own } = useBuilderText();
  const { work, change } = useBuilding();
  const nameOf = useConditionSourceName();
  const count = repeatCountRuleOf(element);
  const put = (next: RepeatedPanelCount) => change(place, (one) => withRepeatCount(one, next));
  const numbers = conditionSourcesBefore(work.definition, place).filter(
    ({ answers, isCalculated }) => answers === 'number' && !isCalculated,
  );
  const chosenName = count.by === 'question' ? count.name : null;
  const isListed = numbers.some(({ name }) => name === chosenName);
  return (
    <>
      <SelectField
        label={own('entries.title')}
        description={numbers.length === 0 ? own('entries.noNumbers') : undefined}
        value={chosenName === null ? count.by : `${QUESTION_PREFIX}${chosenName}`}
        onChange={(value) => {
          if (value === 'interviewer') put({ by: value });
          else if (value === 'number') put({ by: value, count: 1 });
          else put({ by: 'question', name: value.slice(QUESTION_PREFIX.length) });
        }}
        options={[
          { value: 'interviewer', label: own('entries.interviewer') },
          { value: 'number', label: own('entries.number') },
          ...(chosenName === null || isListed
            ? []
            : [
                {
                  value: `${QUESTION_PREFIX}${chosenName}`,
                  label: own('entries.question', { question: chosenName }),
                },
              ]),
          ...numbers.map((one) => ({
            value: `${QUESTION_PREFIX}${one.name}`,
            label: own('entries.question', { question: nameOf(one) }),
          })),
        ]}
      />
      {count.by === 'number' ? (
        <OnBlurNumberField
          min={1}
          max={MAX_REPEAT_ENTRIES}
          label={own('entries.count')}
          value={String(count.count)}
          onDone={(countText) => {
            const next = Number(countText);
            if (!Number.isInteger(next) || next < 1 || next > MAX_REPEAT_ENTRIES) return false;
            put({ by: 'number', count: next });
          }}
        />
      ) : null}
    </>
  );
}
