/** What was changed, from which value to which. */
import './change.css';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatDay, numberInLanguage } from '../../texts/i18n.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import {
  auditFieldDescriber,
  type DescribeField,
  type FieldLabels,
  fieldLabels,
} from './field-descriptions.ts';
import { useRecordName } from './record-name.ts';

/** Cached by language, since every row of the history needs them. */
const labelsByLanguage = new Map<string, FieldLabels>();

export function useFieldDescriber(): DescribeField {
  const { i18n } = useTranslation('flags');
  const dashboardTexts = useDashboardText();
  const texts = { ...dashboardTexts, flags: i18n.getResourceBundle(dashboardTexts.language, 'flags') };
  const tables = labelsByLanguage.get(texts.language) ?? fieldLabels(texts);
  labelsByLanguage.set(texts.language, tables);
  return auditFieldDescriber(
    {
      ...texts,
      nameOf: useRecordName(),
      momentOf: formatDateTime,
      dayOf: formatDay,
      numberOf: numberInLanguage,
    },
    tables,
  );
}

export function ErasedChange({ field }: { field: string }) {
  const { t } = useDashboardText();
  return (
    <div className="change">
      <span>{field}:</span> <span>{t('audit.erased')}</span>
    </div>
  );
}

export function FieldChange({ field, before, after }: { field: string; before: string; after: string }) {
  const { t } = useDashboardText();
  return (
    <div className="change">
      <span>{field}:</span> <span>{t('audit.from')}</span>{' '}
      {before ? (
        <bdi>
          <del>{before}</del>
        </bdi>
      ) : (
        <span>{t('audit.nothing')}</span>
      )}{' '}
      <span>{t('audit.to')}</span>{' '}
      {after ? (
        <bdi>
          <ins>{after}</ins>
        </bdi>
      ) : (
        <span>{t('audit.nothing')}</span>
      )}
    </div>
  );
}
