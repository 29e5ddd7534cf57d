/**
 * The bar above the questions: leave (nothing is lost), progress, the respondent's language, and one question or a
 * whole page per screen.
 */

import { useTranslation } from 'react-i18next';
import type { Model } from 'survey-core';
import { lockNow, useDeviceLockState } from '../../device/lock/use-lock.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { nativeLanguageName } from '../../texts/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ScreenUnit } from './form/progress.ts';
import { formLanguagesOf } from './form/survey-model.ts';

interface InterviewHeadProps {
  model: Model;
  progress: number;
  step: { step: number; steps: number };
  view: ScreenUnit;
  onView(view: ScreenUnit): void;
  onLeave(): void;
  onLanguage(language: string): Promise<void>;
}

export function InterviewHead({
  model,
  progress,
  step,
  view,
  onView,
  onLeave,
  onLanguage,
}: InterviewHeadProps) {
  const { t } = useTranslation();
  const online = useHasSignal();
  const { is } = useDeviceLockState();
  const languages = formLanguagesOf(model);
  const other: ScreenUnit = view === 'question' ? 'page' : 'question';
  return (
    <div className="interview-head">
      <div className="interview-head-inner">
        <button type="button" className="icon-button" aria-label={t('interview.leave')} onClick={onLeave}>
          <Icon name="back" />
        </button>
        <div
          className="interview-progress bar"
          role="progressbar"
          aria-label={t('interview.progress')}
          aria-valuenow={progress}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <div style={{ width: `${progress}%` }} />
        </div>
        <span className="interview-step">{t('interview.step', step)}</span>
        <span className="interview-signal" role="status">
          {online ? null : (
            <>
              <Icon name="noSignal" size={20} />
              <span className="hidden-text">{t('shell.noSignal')}</span>
            </>
          )}
        </span>
        {languages.length > 1 ? (
          <select
            className="plain-select"
            aria-label={t('interview.language')}
            value={model.locale || 'en'}
            onChange={(event) => void onLanguage(event.currentTarget.value)}
          >
            {languages.map((code) => (
              <option key={code} value={code} lang={code}>
                {nativeLanguageName(code)}
              </option>
            ))}
          </select>
        ) : null}
        {is === 'open' ? (
          <button
            type="button"
            className="icon-button"
            aria-label={t('lock.now')}
            onClick={() => void lockNow()}
          >
            <Icon name="lock" />
          </button>
        ) : null}
        <button
          type="button"
          className="icon-button"
          aria-label={t(`interview.show.${other}`)}
          title={t(`interview.show.${other}`)}
          onClick={() => onView(other)}
        >
          <Icon name={view === 'question' ? 'list' : 'single'} />
        </button>
      </div>
    </div>
  );
}
