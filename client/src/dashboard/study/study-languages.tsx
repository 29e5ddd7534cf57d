/** The languages of coupons and posters, with each one's coupon text. The first is the main language. */
import { useContext, useState } from 'react';
import {
  languageName,
  languageNameInSentence,
} from '../../../../src/platform/lib/languages/language-name.ts';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { SelectField } from '../../ui/choice.tsx';
import { fieldFaultOf } from '../../ui/field-error.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Study } from '../../wire.ts';
import { FormErrorContext, FormFields, type FormState } from '../kit/actions/fields.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

/** Languages offered. The service accepts any language tag. */
const OFFERED_LANGUAGES =
  'en es am ar bn de fa fr ha he hi ht ja km ko my ne om pa pl ps pt ro ru so sw ti tl tr uk ur vi yo zh'.split(
    ' ',
  );

type Texts = Pick<Study, 'languages' | 'couponText' | 'contactTexts'>;

export function StudyLanguages({ value, set }: FormState<Texts>) {
  const { t, language } = useDashboardText();
  const { languages } = value;
  const several = languages.length > 1;
  /** The field for one language's text; its name is the language tag. */
  const field = (of: 'couponText' | 'contactTexts', tag: string, label: string, description: string) => (
    <FormFields<Record<string, string>>
      form={{ value: value[of], set: (change) => set({ [of]: { ...value[of], ...change } }) }}
      size="md"
      rows={[
        {
          name: tag,
          path: `${of}.${tag}`,
          as: 'lines',
          label,
          description,
          attributes: { lang: tag, dir: textDirection(tag) },
        },
      ]}
    />
  );
  return (
    <>
      {languages.map((tag) => {
        const languageParam = { language: languageNameInSentence(tag, language) };
        return (
          <div key={tag} className="dashboard-language">
            <div>
              {field('couponText', tag, t('study.couponText', languageParam), t('study.what.couponText'))}
              {several
                ? field('contactTexts', tag, t('study.contactIn', languageParam), t('study.what.contactIn'))
                : null}
            </div>
            {several ? (
              // The text is kept in case the language is added back.
              <RemoveStudyLanguageButton tag={tag} form={{ value, set }} />
            ) : null}
          </div>
        );
      })}
      <AddStudyLanguage value={value} set={set} />
    </>
  );
}

export function RemoveStudyLanguageButton({
  tag,
  form,
}: {
  tag: string;
  form: FormState<Pick<Study, 'languages'>>;
}) {
  const { t, language } = useDashboardText();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('study.removeLanguage', { language: languageNameInSentence(tag, language) })}
      onClick={() => form.set({ languages: form.value.languages.filter((one) => one !== tag) })}
    >
      <Icon name="trash" size={20} />
    </button>
  );
}

export function AddStudyLanguage({ value: { languages }, set }: FormState<Pick<Study, 'languages'>>) {
  const { t, language } = useDashboardText();
  const open = OFFERED_LANGUAGES.filter((tag) => !languages.includes(tag));
  const [chosen, setChosen] = useState('');
  const sorted = open
    .map((value) => ({ value, label: languageName(value, language) }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  return (
    <div className="dashboard-inline" style={{ marginTop: 16 }}>
      <SelectField
        label={t('study.addLanguage')}
        error={fieldFaultOf(useContext(FormErrorContext), 'languages')}
        value={chosen}
        onChange={setChosen}
        none={t('study.chooseLanguage')}
        options={sorted}
      />
      <PlainButton
        label={t('common.add')}
        size="md"
        disabled={chosen === ''}
        onClick={() => {
          set({ languages: [...languages, chosen] });
          setChosen('');
        }}
      />
    </div>
  );
}
