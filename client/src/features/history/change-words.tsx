/** What was changed, and from what to what. */
import './change.css';
import { useDeskText } from '../../desk/desk-text.ts';
import { momentOf, numberOf } from '../../i18n.ts';
import { type FieldTeller, fieldWords } from './field-words.ts';
import { useRecordName } from './record-name.ts';

export function useFieldWords(): FieldTeller {
  return fieldWords({ ...useDeskText(), nameOf: useRecordName(), momentOf, numberOf });
}

/** One change: the field, what it was, what it is. */
export function Changed({ field, before, after }: { field: string; before: string; after: string }) {
  const { t } = useDeskText();
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
