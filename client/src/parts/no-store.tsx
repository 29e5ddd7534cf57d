/** Some private windows refuse to store anything: then no interview could be kept, and the app says so and stops. */
import { useTranslation } from 'react-i18next';

export function NoStore() {
  const { t } = useTranslation();
  return (
    <main style={{ font: '18px/1.5 system-ui', maxWidth: 560, margin: '15vh auto', padding: 20 }}>
      <h1>{t('noStore.title')}</h1>
      <p>{t('noStore.text')}</p>
    </main>
  );
}
